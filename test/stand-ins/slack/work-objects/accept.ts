import type { BlockKitProblem } from '../block-kit/validate.ts';
import { asObject, asText, isObject, type JsonObject } from '../json.ts';
import type { ShownEntity } from '../state/model.ts';
import type { SlackState } from '../state/state.ts';
import { type EntityUse, entitiesIn, TASK, validateEntity } from './entity.ts';
import { METADATA_BYTES } from './limits.ts';

/** What is wrong with the entities of a call's metadata; empty if nothing is. */
export function problemsOfMetadata(
  state: SlackState,
  metadata: unknown,
  use: EntityUse,
): BlockKitProblem[] {
  const entities = entitiesIn(metadata) ?? [];
  const at = '/metadata/entities';
  if (!state.manifest.entityTypes.includes(TASK)) {
    return [{ message: 'Work Object Previews are turned off', pointer: at }];
  }
  if (entities.length === 0) return [{ message: 'must provide at least 1 items', pointer: at }];
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES) {
    return [{ message: 'metadata is too large', pointer: '/metadata' }];
  }
  const broken = entities.filter((entity) => hasBrokenImage(state, entity));
  return [
    ...entities.flatMap((entity, index) => validateEntity(entity, use, `${at}/${index}`)),
    ...broken.map(() => ({ message: 'downloading image failed', pointer: at })),
  ];
}

function hasBrokenImage(state: Pick<SlackState, 'brokenImages'>, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => hasBrokenImage(state, one));
  if (!isObject(value)) return false;
  const { image_url: address } = value;
  if (
    typeof address === 'string' &&
    (state.brokenImages.has('*') || state.brokenImages.has(address))
  ) {
    return true;
  }
  return Object.values(value).some((one) => hasBrokenImage(state, one));
}

/** An entity as a message has it. */
export function shownEntity(entity: unknown, botId: string): ShownEntity {
  const given: JsonObject = asObject(entity);
  return { entity: given, appUnfurlUrl: asText(given.app_unfurl_url) || undefined, botId };
}
