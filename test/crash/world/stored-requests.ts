import { isDeepStrictEqual } from 'node:util';
import { REQUEST_JOBS } from '../../../src/requests/jobs.ts';
import { arrowBetween, arrowsOfModel, type Stored } from '../../model/arrows.ts';
import type { CrashDatabase } from './database.ts';

const unfinished = (kind: string, more: string) =>
  `(select count(*) from jobs where kind = '${kind}' and finished_at is null and ${more})`;
const ofRevision = (kind: string) =>
  unfinished(kind, `identity = '${kind}/' || requests.id || '/' || requests.revision`);

/** In one statement, so that nothing is committed between two. */
const STORED = `select id, state, revision, announced_revision, card_id,
  ${unfinished(REQUEST_JOBS.send, `payload like '%"' || requests.id || '"%'`)} as sends,
  ${ofRevision(REQUEST_JOBS.announce)} as tells,
  ${ofRevision(REQUEST_JOBS.reconcile)} as searches
  from requests`;

type Row = Record<'id' | 'state' | 'card_id', string> &
  Record<'revision' | 'announced_revision' | 'sends' | 'tells' | 'searches', number | string>;

const NEW: Stored = { status: 'new', notice: 'none', isLinked: false, hasJob: false };
/** The model leaves out waiting for another key. */
const isInModel = (row: Row) => row.state !== 'waiting_for_key';

let arrows: Set<string> | undefined;

/** Compares what each commit does to requests with the model. */
export function createStoredRequests({ query }: Pick<CrashDatabase, 'query'>) {
  arrows ??= arrowsOfModel();
  const inModel = arrows;
  /** By request; undefined outside of the model. */
  let before = new Map<string, Stored | undefined>();
  const unknown: string[] = [];

  return {
    async compare() {
      const rows = (await query(STORED)) as Row[];
      const after = new Map(
        rows.map((row) => [row.id, isInModel(row) ? storedOf(row) : undefined]),
      );
      for (const [id, stored] of after) {
        const last = before.has(id) ? before.get(id) : NEW;
        if (!last || !stored) continue;
        const arrow = arrowBetween(last, stored);
        if (!isDeepStrictEqual(last, stored) && !inModel.has(arrow)) unknown.push(arrow);
      }
      before = after;
    },
    unknown,
  };
}

function storedOf(row: Row): Stored {
  return {
    status: row.state as Stored['status'],
    notice: noticeOf(row),
    isLinked: row.card_id !== null,
    hasJob: Number(row.sends) > 0,
  };
}

function noticeOf({ state, revision, announced_revision, tells, searches }: Row): Stored['notice'] {
  if (state === 'queued' || state === 'sending') return 'none';
  if (Number(announced_revision) >= Number(revision)) return 'told';
  // A search may go on beside it whose job was taken from a frozen replica that ended the same search.
  if (Number(tells) > 0) return 'tell';
  return Number(searches) > 0 ? 'search' : 'none';
}
