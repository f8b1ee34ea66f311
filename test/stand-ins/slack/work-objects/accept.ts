import type { BlockKitProblem } from '../block-kit/validate.ts';
import { asObject, asText, type JsonObject } from '../json.ts';
import type { ShownEntity } from '../state/model.ts';
import type { SlackState } from '../state/state.ts';
import { imagePointers } from '../web-api/broken-images.ts';
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
  return [
    ...entities.flatMap((entity, index) => validateEntity(entity, use, `${at}/${index}`)),
    ...imagePointers(entities, at, state.brokenImages).map((pointer) => ({
      message: 'downloading image failed',
      pointer,
    })),
  ];
}

/** An entity as a message has it. */
export function shownEntity(entity: unknown, botId: string): ShownEntity {
  const given: JsonObject = asObject(entity);
  return { entity: given, appUnfurlUrl: asText(given.app_unfurl_url) || undefined, botId };
}
