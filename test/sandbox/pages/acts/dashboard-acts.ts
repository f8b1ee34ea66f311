import { z } from 'zod';
import { STATUSES } from '../../../stand-ins/design-service/cards.ts';
import type { DesignService } from '../../../stand-ins/design-service/server.ts';
import type { FaultsPanel } from '../service/faults-panel.ts';
import type { Keys } from '../service/keys.ts';
import { type ActOf, actsIn } from './table.ts';

const cardId = z.string().max(200);
const line = z.string().max(1_000);

const act = actsIn<{ service: DesignService; keys: Keys; faults: FaultsPanel }, void>();

/** What a member of the service does in the dashboard. Throws Error with a message for the page if it can't be done. */
export const DASHBOARD_ACTS = {
  'set-status': act({ cardId, statusId: line }, ({ service }, given) => {
    const status = Object.values(STATUSES).find(({ id }) => id === given.statusId);
    if (!status) throw new Error('The service has no such status.');
    service.cards.update(given.cardId, { status });
  }),
  'add-file': act({ cardId, name: line.min(1) }, ({ service }, given) => {
    service.cards.addFile(given.cardId, { name: given.name });
  }),
  edit: act(
    {
      cardId,
      title: line,
      descriptionHtml: z.string().max(500_000),
      dimensions: z.string().max(10_000),
      labels: z.array(line),
      tags: z.array(line),
      dueDate: z.union([z.literal(''), z.iso.date()]),
    },
    ({ service }, { cardId: id, descriptionHtml: description, dueDate, ...texts }) => {
      const due = dueDate === '' ? null : new Date(`${dueDate}T12:00:00Z`);
      service.cards.update(id, { ...texts, description, dueDate: due });
    },
  ),
  'revoke-key': act({ owner: line }, ({ keys }, { owner }) => keys.revoke(owner)),
  'new-key': act({ owner: line }, ({ keys }, { owner }) => keys.renew(owner)),
  'limit-key': act(
    { owner: line, perMinute: z.int().min(1).max(1_000) },
    ({ keys }, { owner, perMinute }) => keys.limit(owner, perMinute),
  ),
  'add-fault': act({ name: line, once: z.boolean() }, ({ faults }, { name, once }) =>
    faults.add(name, once),
  ),
  'remove-fault': act({ id: z.int() }, ({ faults }, { id }) => faults.remove(id)),
};

export type DashboardAct = ActOf<typeof DASHBOARD_ACTS>;
