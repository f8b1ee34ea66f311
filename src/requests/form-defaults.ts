import type { RequestForm } from './request.ts';

// What the next form is filled with: what people chose before, and what admins have preset.

/** Choices in a form. Types and brands are IDs of the service, because their names may change. */
export type FormChoices = {
  requestType?: string | undefined;
  product?: string | undefined;
  dimensions?: string | undefined;
  software?: string | undefined;
  formats?: string[] | undefined;
  brand?: string | undefined;
  /** The text that a description starts with. Only in presets. */
  brief?: string | undefined;
  /** The conversation to post the confirmation in. Only in presets. */
  shareIn?: string | undefined;
};

/** Choices of a person, of a channel, or of the whole workspace (`WORKSPACE`). */
export type StoredChoices = {
  owner: string;
  /** What they apply to. */
  scope: string;
  choices: FormChoices;
};

/** The owner of choices that apply to a whole workspace. */
export const WORKSPACE = '';

/** The scopes of choices. Presets are set by admins, the others are learned. */
export const SCOPES = {
  preset: 'preset',
  latest: 'latest',
  inChannel: (channelId: string) => `channel/${channelId}`,
  ofType: (typeId: string) => `type/${typeId}`,
} as const;

/** Where a form is filled in, and by whom. */
export type FormPlace = { userId: string; channelId: string | undefined };

/** What to remember of a form that was sent. */
export function choicesToLearn({ userId, channelId }: FormPlace, form: RequestForm) {
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
  /** The brand that somebody last chose in the channel: to suggest, not to set, since it may not be this person's. */
  brandHere: string | undefined;
};

/**
 * @param stored the choices of the person, of the channel, and of the workspace
 * @param typeId the request type that the form has; undefined if none is chosen
 */
export function suggestionsFrom(
  stored: readonly StoredChoices[],
  { userId, channelId }: FormPlace,
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
