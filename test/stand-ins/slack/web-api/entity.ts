import { asObject, asText, isObject, type JsonObject } from '../json.ts';
import { refuse, refuseProblems } from '../refusal.ts';
import type { Pane } from '../state/model.ts';
import { exchangeTrigger } from '../state/triggers.ts';
import {
  loadEmbed,
  METADATA_BYTES,
  TASK,
  validateEntity,
  validateError,
} from '../work-objects/entity.ts';
import { type BotCall, jsonArgument } from './method.ts';

/**
 * Source of the errors: docs.slack.dev/reference/methods/entity.presentDetails. The trigger is checked first
 * (derive-to/derive#625), and used up even if the rest is refused, the stricter of two interpretations.
 */
export function presentDetails(call: BotCall): JsonObject {
  const { state, workspace, args } = call;
  if (!state.manifest.entityTypes.includes(TASK)) return refuse('feature_not_enabled');
  const { pane } = exchangeTrigger(state, workspace.id, args.trigger_id);
  if (!pane) return refuse('invalid_trigger_id');
  const metadata = jsonArgument(args, 'metadata', 'invalid_metadata');
  const error = jsonArgument(args, 'error', 'invalid_arguments');
  if ((metadata === undefined) === (error === undefined)) return refuse('invalid_arguments');
  if (error === undefined) present(call, pane, metadata);
  else presentError(call, pane, error);
  state.feed.emit();
  return {};
}

function presentError({ state }: BotCall, pane: Pane, error: unknown): void {
  refuseProblems('invalid_arguments', validateError(error));
  Object.assign(pane, { waiting: false, answeredAt: state.clock().getTime() });
  Object.assign(pane, { error, drawn: pane.drawn + 1 });
}

function present({ state, dispatcher }: BotCall, pane: Pane, metadata: unknown): void {
  if (!isObject(metadata)) refuse('invalid_metadata');
  const { url, external_ref: reference } = metadata;
  refuseProblems(
    'invalid_arguments',
    ['external_ref', 'url']
      .filter((name) => metadata[name] === undefined)
      .map((name) => ({ message: `missing required field: ${name}`, pointer: '/metadata' })),
  );
  const expected = pane.externalRef?.id;
  const isSame =
    expected === undefined ? url === pane.entityUrl : asObject(reference).id === expected;
  if (!isSame) refuse('entity_metadata_does_not_match_trigger');
  refuseProblems('invalid_metadata', validateEntity(metadata, 'details', '/metadata'));
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES) {
    refuse('invalid_metadata');
  }
  const isNewer = modifiedAt(metadata) > modifiedAt(pane.entity);
  Object.assign(pane, { waiting: false, answeredAt: state.clock().getTime() });
  // Slack draws what it has until the metadata says that it is newer.
  if (pane.entity && !pane.error && !isNewer) return;
  Object.assign(pane, { entity: metadata, error: undefined, drawn: pane.drawn + 1 });
  const address = previewAddressOf(metadata);
  pane.embed = undefined;
  if (address === undefined) return;
  void dispatcher.track(
    loadEmbed(state, address).then((embed) => {
      pane.embed = embed;
      state.feed.emit();
    }),
  );
}

/** By the entity's own word, otherwise by its field. Source: docs.slack.dev/messaging/work-objects-implementation. */
export function modifiedAt(entity: JsonObject | undefined): number {
  const { attributes, fields } = asObject(entity?.entity_payload);
  const own = asObject(attributes).metadata_last_modified;
  return Number(own ?? asObject(asObject(fields).date_updated).value ?? 0);
}

function previewAddressOf(entity: JsonObject): string | undefined {
  const { attributes } = asObject(entity.entity_payload);
  const preview = asObject(asObject(attributes).full_size_preview);
  return asText(preview.preview_url) || undefined;
}
