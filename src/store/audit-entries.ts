import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { OwnerId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import { createRowReader } from './rows.ts';

const action = z.enum([
  'key_connected',
  'key_disconnected',
  'settings_changed',
  'preset_changed',
  'job_retried',
  'job_dropped',
]);
export type AuditedAction = z.infer<typeof action>;

/** A value before and after; undefined if there was or is none. Never a secret. */
export type FieldChange = {
  field: string;
  before?: string | boolean | undefined;
  after?: string | boolean | undefined;
};

type NewAuditEntry = {
  what: AuditedAction;
  /** Undefined for an operator. */
  by: string | undefined;
  /** The channel of a preset, or the job. */
  about?: string | undefined;
  changes: readonly FieldChange[];
};

export type AuditEntry = NewAuditEntry & { at: Date };

export type AuditEntryStore = ReturnType<typeof createAuditEntryStore>;

const value = z.union([z.string(), z.boolean()]).optional();
const details = z.object({
  about: z.string().optional(),
  changes: z.array(z.object({ field: z.string(), before: value, after: value })),
});

export function createAuditEntryStore(db: Database, read = createRowReader()) {
  async function newestOf(ownerId: OwnerId, limit: number): Promise<AuditEntry[]> {
    const rows = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('workspaceId', '=', ownerId)
      .orderBy('doneAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.flatMap(({ id, doneBy: by, doneAt: at, ...row }) => {
      const named = { table: 'audit_entries', id, workspace: ownerId } as const;
      const what = read(named, action, row.what, String);
      if (!what) return [];
      const about = read(named, details, row.details) ?? { changes: [] };
      return [{ what, by, at, ...about }];
    });
  }

  return {
    /** Call this in the transaction of the change. */
    async add(ownerId: OwnerId, { what, by, about, changes }: NewAuditEntry, now: Date) {
      await db
        .insertInto('audit_entries')
        .values({
          id: randomUUID(),
          workspaceId: ownerId,
          what,
          doneBy: by,
          details: JSON.stringify({ about, changes }),
          doneAt: now,
        })
        .execute();
    },

    /** The newest first, of all these owners. */
    async list(ownerIds: readonly OwnerId[], limit: number) {
      // One query for each owner, which reads the newest from the index.
      const lists = await Promise.all(ownerIds.map((ownerId) => newestOf(ownerId, limit)));
      const all = lists.flat().toSorted((a, b) => b.at.getTime() - a.at.getTime());
      return all.slice(0, limit);
    },
  };
}

type Recorded = Readonly<Record<string, string | boolean | undefined>>;

export const changesBetween = (before: Recorded, after: Recorded): FieldChange[] =>
  Object.keys({ ...before, ...after })
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter((change) => change.before !== change.after);
