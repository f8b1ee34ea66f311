import { createContext, type ReactNode, use, useMemo, useRef } from 'react';
import type { StateValue } from '../../../../stand-ins/slack/block-kit/view-state.ts';
import { asObject, asText, type JsonObject } from '../../../../stand-ins/slack/json.ts';
import type { FieldInput } from '../../acts/workspace-acts.ts';
import type { ViewShown } from '../../snapshots/workspace-snapshot.ts';
import { upload } from '../live/use-live.ts';
import { useSlack } from '../workspace/slack-context.ts';

const OpenViewContext = createContext<ReturnType<typeof useView> | undefined>(undefined);

/** The view that contains the fields. */
export function useOpenView() {
  const view = use(OpenViewContext);
  if (!view) throw new Error('Fields belong in a view.');
  return view;
}

type At = { blockId: string; actionId: string };

/** An input and its value. */
export type FieldOf = {
  /** The element's ID on the page, for its label. */
  id: string;
  blockId: string;
  actionId: string;
  element: JsonObject;
  value: StateValue | undefined;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
  label: string;
};

export function OpenViewAround({ shown, children }: { shown: ViewShown; children: ReactNode }) {
  return <OpenViewContext value={useView(shown)}>{children}</OpenViewContext>;
}

function useView(shown: ViewShown) {
  const { act, snapshot } = useSlack();
  const { me } = snapshot;
  const underWay = useRef(new Set<Promise<unknown>>());
  const givers = useRef(new Set<() => void>());
  const attaching = useRef(Promise.resolve());
  const viewId = shown.id;
  return useMemo(() => {
    const track = <T,>(work: Promise<T>): Promise<T> => {
      underWay.current.add(work);
      const done = () => underWay.current.delete(work);
      work.then(done, done);
      return work;
    };
    return {
      shown,
      /** Resolves when the page shows the result. */
      async fill({ blockId, actionId }: At, value: FieldInput) {
        // A view that was closed or redrawn meanwhile no longer has this field, so nothing is lost.
        await track(act({ do: 'fill', viewId, blockId, actionId, value })).catch(() => undefined);
      },
      /** Uploads files and puts them into a field, after those that it has by then. */
      async attach({ blockId, actionId }: At, files: readonly File[], before: () => string[]) {
        const put = async () => {
          const uploaded = await Promise.all(files.map((file) => upload(me, file)));
          const value = [...before().map((id) => ({ id })), ...uploaded];
          await act({ do: 'fill', viewId, blockId, actionId, value });
        };
        // One after the other, or the later ones would replace those that aren't in the field yet.
        const work = attaching.current.catch(() => undefined).then(put);
        attaching.current = work;
        await track(work);
      },
      search: ({ blockId, actionId }: At, query: string) =>
        act({ do: 'search', viewId, blockId, actionId, query }),
      /** A field that delays what is typed registers here, so that it is sent before the view, or before it is closed. */
      beforeSending(give: () => void): () => void {
        givers.current.add(give);
        return () => givers.current.delete(give);
      },
      /** Resolves when the sandbox has everything that was typed. */
      async settled() {
        for (const give of givers.current) give();
        await Promise.allSettled([...underWay.current]);
      },
    };
  }, [act, me, shown, viewId]);
}

export const placeholderOf = (element: JsonObject): string =>
  asText(asObject(element.placeholder).text);
