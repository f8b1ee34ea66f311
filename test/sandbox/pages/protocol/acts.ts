import { z } from 'zod';

const id = z.string().max(200);
const text = z.string().max(40_000);

/** An option, identified by its value. */
const optionRef = z.strictObject({ value: z.string() });

/** What a person entered in a field; see `FieldValue` of the stand-in's people. */
const fieldValue = z.union([
  z.null(),
  z.string(),
  z.array(optionRef),
  optionRef,
  z.array(z.strictObject({ id: z.string() })),
  z.looseObject({ type: z.literal('rich_text') }),
]);

const place = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    channelId: id,
    ts: id,
    attachmentId: z.number().optional(),
  }),
  z.object({
    kind: z.literal('entity'),
    channelId: id,
    ts: id,
    index: z.number().int().min(0),
  }),
  z.object({ kind: z.literal('pane') }),
  z.object({ kind: z.literal('ephemeral'), ts: id }),
  z.object({ kind: z.literal('view'), viewId: id }),
]);

/** An element of an open view. */
const inView = { viewId: id, blockId: id, actionId: id };

/** What a person does in the workspace page. */
const workspaceAct = z.discriminatedUnion('do', [
  z.object({ do: z.literal('command'), channelId: id, command: id, text }),
  z.object({ do: z.literal('post'), channelId: id, text, threadTs: id.optional() }),
  z.object({ do: z.literal('compose'), channelId: id, text }),
  z.object({ do: z.literal('remove'), channelId: id, ts: id }),
  z.object({ do: z.literal('edit'), channelId: id, ts: id, text }),
  z.object({ do: z.literal('invite-app'), channelId: id }),
  z.object({ do: z.literal('message-shortcut'), channelId: id, ts: id, name: text }),
  z.object({ do: z.literal('global-shortcut'), name: text }),
  z.object({ do: z.literal('open-app'), tab: z.enum(['home', 'messages']) }),
  z.object({
    do: z.literal('press'),
    at: place,
    blockId: id,
    actionId: id,
    option: z.string().optional(),
  }),
  z.object({
    do: z.literal('open-details'),
    channelId: id,
    ts: id,
    index: z.number().int().min(0),
  }),
  z.object({ do: z.literal('refresh-details') }),
  z.object({ do: z.literal('close-details') }),
  z.object({ do: z.literal('fill'), ...inView, value: fieldValue }),
  z.object({ do: z.literal('search'), ...inView, query: text }),
  z.object({ do: z.literal('submit'), viewId: id }),
  z.object({ do: z.literal('close'), viewId: id, all: z.boolean() }),
  z.object({ do: z.literal('step-options'), input: id, inputs: z.record(id, text) }),
  z.object({ do: z.literal('run-step'), inputs: z.record(id, z.union([text, z.boolean()])) }),
]);

export const workspaceRequest = z.object({ as: id, act: workspaceAct });

export type WorkspaceAct = z.infer<typeof workspaceAct>;
export type Place = z.infer<typeof place>;
export type FieldInput = z.infer<typeof fieldValue>;

export type Uploaded = { id: string };

/** The result of a delivery to the app; fields are undefined if nothing was sent. */
export type Acknowledgment = {
  /** Real milliseconds; Slack waits three seconds. */
  ms: number;
  acknowledged: boolean;
  error: string | undefined;
};

export type ActResult = {
  told?: Acknowledgment | undefined;
  /** Slackbot's message about a command that failed. */
  commandError?: string | undefined;
  /** The URL that a button opened. */
  opened?: string | undefined;
  /** Options of a searched menu. */
  options?: { value: string; text: string; description: string }[];
  /** Why Workflow Builder can't show a menu's options. */
  optionsError?: string;
  /** The ID under which a composer preview appears. */
  unfurlId?: string;
};

/** The answer to an action: the number of the state that shows its effect, and its result or why it failed. */
export type ActAnswer = { revision: number } & (
  | { result: ActResult; problem?: undefined }
  | { problem: string }
);
