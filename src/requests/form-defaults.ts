import { z } from 'zod';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { type Entries, entryKind } from '../store/entries.ts';
import type { RequestForm } from './request.ts';

// What the next form is filled with: what people chose before, and what admins have preset.

const choice = z.string().optional();
/** Types and brands are IDs of the service, because their names may change. */
const formChoices = z.object({
  requestType: choice,
  product: choice,
  dimensions: choice,
  software: choice,
  formats: z.array(z.string()).optional(),
  brand: choice,
  /** The text that a description starts with. Only in presets. */
  brief: choice,
  /** The conversation to post the confirmation in. Only in presets. */
  shareIn: choice,
});
export type FormChoices = z.infer<typeof formChoices>;

/** Kept long enough for a request that someone makes every quarter. */
export const LEARNED = entryKind('learned_choices', formChoices, 180 * 24 * 60 * 60_000);
const PRESET = entryKind('preset', formChoices);

/** Choices of a person, of a channel, or of the whole workspace (`WORKSPACE`). */
export type StoredChoices = { owner: string; scope: string; choices: FormChoices };

export const WORKSPACE = '';

/** Presets are set by admins, the others are learned. */
const SCOPES = {
  preset: 'preset',
  latest: 'latest',
  inChannel: (channelId: string) => `channel/${channelId}`,
  ofType: (typeId: string) => `type/${typeId}`,
} as const;

export type FormDefaults = ReturnType<typeof createFormDefaults>;

export function createFormDefaults(entries: Entries) {
  const nameOf = ({ owner, scope }: Omit<StoredChoices, 'choices'>) => `${owner}/${scope}`;
  const presetOf = (id: WorkspaceId, owner: string) => ({
    kind: PRESET,
    owner: id,
    name: nameOf({ owner, scope: SCOPES.preset }),
  });

  async function choicesOf(id: WorkspaceId, owners: readonly string[]): Promise<StoredChoices[]> {
    const beginnings = owners.map((owner) => nameOf({ owner, scope: '' }));
    const found = await Promise.all(
      [LEARNED, PRESET].map((kind) => entries.list({ kind, owner: id }, beginnings)),
    );
    return found.flat().map(({ name, value }) => {
      const [owner = '', ...scope] = name.split('/');
      return { owner, scope: scope.join('/'), choices: value };
    });
  }

  return {
    of: choicesOf,

    /** @returns what to suggest for a request type, or before one is chosen */
    async suggestionsFor(id: WorkspaceId, origin: FormOrigin) {
      const { userId, channelId = WORKSPACE } = origin;
      const stored = await choicesOf(id, [...new Set([userId, channelId, WORKSPACE])]);
      return (typeId?: string): Suggestions => suggestionsFrom(stored, origin, typeId);
    },

    learn: (id: WorkspaceId, learned: readonly StoredChoices[], now: Date): Promise<void> =>
      entries.putAll(
        { kind: LEARNED, owner: id },
        learned.map((one) => ({ name: nameOf(one), value: one.choices })),
        now,
      ),

    preset: async (id: WorkspaceId, owner: string): Promise<FormChoices> =>
      (await entries.get(presetOf(id, owner)))?.value ?? {},

    savePreset: (id: WorkspaceId, owner: string, choices: FormChoices | undefined, now: Date) =>
      choices
        ? entries.put(presetOf(id, owner), choices, now)
        : entries.remove(presetOf(id, owner)),
  };
}

type FormOrigin = { userId: string; channelId: string | undefined };

export function choicesToLearn({ userId, channelId }: FormOrigin, form: RequestForm) {
  const { product, dimensions, software, formats } = form;
  const requestType = form.requestType.id;
  const brand = form.brand?.id;
  const learned: StoredChoices[] = [
    { owner: userId, scope: SCOPES.latest, choices: { requestType } },
    {
      owner: userId,
      scope: SCOPES.ofType(requestType),
      choices: { product, dimensions, software, formats, brand },
    },
  ];
  if (channelId === undefined) return learned;
  return [
    ...learned,
    { owner: userId, scope: SCOPES.inChannel(channelId), choices: { requestType, brand } },
    { owner: channelId, scope: SCOPES.latest, choices: { requestType, brand } },
  ];
}

/** For each choice, what to suggest, the best first. */
export type Suggestions = {
  [Name in keyof FormChoices]-?: readonly NonNullable<FormChoices[Name]>[];
} & {
  /** Last chosen by anyone in the channel: to suggest, not to set, as it may not be this person's. */
  brandHere: string | undefined;
};

function suggestionsFrom(
  stored: readonly StoredChoices[],
  { userId, channelId }: FormOrigin,
  typeId: string | undefined,
): Suggestions {
  const find = (owner: string | undefined, scope: string) =>
    stored.find((one) => one.owner === owner && one.scope === scope)?.choices ?? {};
  const presets = [find(channelId, SCOPES.preset), find(WORKSPACE, SCOPES.preset)];
  const [channelPreset = {}, workspacePreset = {}] = presets;
  const inChannel = find(channelId, SCOPES.latest);
  const ofPerson = typeId === undefined ? {} : find(userId, SCOPES.ofType(typeId));
  /** A preset's sizes, formats, product, and software go with its type. */
  const forType = presets.filter(({ requestType }) => (requestType ?? typeId) === typeId);
  const inOrder = <Name extends keyof FormChoices>(name: Name, from: readonly FormChoices[]) =>
    from.map((choices) => choices[name]).filter((choice) => choice !== undefined);
  const latestHere = channelId === undefined ? {} : find(userId, SCOPES.inChannel(channelId));
  const types = [latestHere, ...presets, find(userId, SCOPES.latest), inChannel];
  return {
    requestType: inOrder('requestType', types),
    // In a channel, a wrong brand is more likely than a missing one.
    brand: inOrder('brand', [
      channelPreset,
      latestHere,
      ...(channelId === undefined ? [ofPerson] : []),
      workspacePreset,
    ]),
    brandHere: inChannel.brand,
    product: inOrder('product', [ofPerson, ...forType]),
    software: inOrder('software', [ofPerson, ...forType]),
    dimensions: inOrder('dimensions', [ofPerson, ...forType]),
    formats: inOrder('formats', [ofPerson, ...forType]),
    brief: inOrder('brief', presets),
    shareIn: inOrder('shareIn', presets),
  };
}
