import { z } from 'zod';

const FAULTS = [
  'slow',
  'rate-limited',
  'server-error',
  'dropped-after-executing',
  'garbage',
  'down',
  'refuses-fields',
] as const;
export type FaultName = (typeof FAULTS)[number];

const cardId = z.string().max(200);
const line = z.string().max(1_000);

/** What a member of the service does in the dashboard. */
export const dashboardAct = z.discriminatedUnion('do', [
  z.object({ do: z.literal('set-status'), cardId, statusId: line }),
  z.object({ do: z.literal('add-file'), cardId, name: line.min(1) }),
  z.object({
    do: z.literal('edit'),
    cardId,
    title: line,
    descriptionHtml: z.string().max(500_000),
    dimensions: z.string().max(10_000),
    labels: z.array(line),
    tags: z.array(line),
    dueDate: z.union([z.literal(''), z.iso.date()]),
  }),
  z.object({ do: z.literal('revoke-key'), owner: line }),
  z.object({ do: z.literal('new-key'), owner: line }),
  z.object({ do: z.literal('limit-key'), owner: line, perMinute: z.int().min(1).max(1_000) }),
  z.object({ do: z.literal('add-fault'), name: z.enum(FAULTS), once: z.boolean() }),
  z.object({ do: z.literal('remove-fault'), id: z.int() }),
]);
export type DashboardAct = z.infer<typeof dashboardAct>;
