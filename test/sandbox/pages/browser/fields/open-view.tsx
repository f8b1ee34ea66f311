import { createContext, type RefObject, use, useMemo, useRef, useState } from 'react';
import type { StateValue } from '../../../../stand-ins/slack/block-kit/view-state.ts';
import { asObject, asText, type JsonObject } from '../../../../stand-ins/slack/json.ts';
import type { FieldInput } from '../../acts/workspace-acts.ts';
import type { ViewShown } from '../../snapshots/workspace-snapshot.ts';
import { upload } from '../live/use-live.ts';
import { useSlack } from '../workspace/slack-context.ts';

export const OpenViewContext = createContext<ReturnType<typeof useView> | undefined>(undefined);

/** The view that contains the fields. */
export function useOpenView() {
  const view = use(OpenViewContext);
  if (!view) throw new Error('Fields belong in a view.');
  return view;
}

type At = { blockId: string; actionId: string };

/** An input and its value. */
export type FieldOf = At & {
  /** The element's ID on the page, for its label. */
  id: string;
  element: JsonObject;
  value: StateValue | undefined;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
  label: string;
};

/** @param queue resolves when the sandbox has everything that was typed */
export function useView(shown: ViewShown, queue: RefObject<Promise<unknown>>) {
  const { act, snapshot } = useSlack();
  const { me } = snapshot;
  const unsent = useRef(new Map<string, FieldInput>());
  const viewId = shown.id;
  return useMemo(() => {
    /** One after the other, so that the last one wins. */
    const inTurn = (work: () => Promise<unknown>) => {
      const done = queue.current.then(work);
      queue.current = done.catch(() => undefined);
      return done;
    };
    return {
      shown,
      /** Resolves when the page shows the result. What is typed meanwhile is sent together. */
      async fill({ blockId, actionId }: At, given: FieldInput) {
        const key = JSON.stringify([blockId, actionId]);
        unsent.current.set(key, given);
        const put = async () => {
          const value = unsent.current.get(key);
          if (!unsent.current.delete(key) || value === undefined) return;
          await act({ do: 'fill', viewId, blockId, actionId, value });
        };
        // A view that was closed or redrawn meanwhile no longer has this field, so nothing is lost.
        await inTurn(put).catch(() => undefined);
      },
      /** Uploads files and puts them into a field, after those that it has by then. */
      attach: ({ blockId, actionId }: At, files: readonly File[], before: () => string[]) =>
        inTurn(async () => {
          const uploaded = await Promise.all(files.map((file) => upload(me, file)));
          const value = [...before().map((id) => ({ id })), ...uploaded];
          await act({ do: 'fill', viewId, blockId, actionId, value });
        }),
      search: ({ blockId, actionId }: At, query: string) =>
        act({ do: 'search', viewId, blockId, actionId, query }),
    };
  }, [act, me, queue, shown, viewId]);
}

/** A field's value: shown at once, and replaced by the sandbox's value, `held`, as soon as that arrives. */
export function useValue<Value>(
  held: Value,
  send: (value: Value) => Promise<void>,
): [Value, (value: Value) => void] {
  const [mine, setMine] = useState<Value>();
  function give(value: Value) {
    setMine(value);
    void send(value).finally(() => setMine((now) => (now === value ? undefined : now)));
  }
  return [mine ?? held, give];
}

export const placeholderOf = (element: JsonObject): string =>
  asText(asObject(element.placeholder).text);
