import { STATUSES } from '../../../stand-ins/design-service/cards.ts';
import type { DesignService } from '../../../stand-ins/design-service/server.ts';
import type { DashboardAct } from '../protocol/dashboard.ts';
import type { FaultsPanel } from '../service/faults-panel.ts';
import type { Keys } from '../service/keys.ts';

/**
 * Does what a member of the service does in the dashboard.
 *
 * @throws Error with a message for the page if it can't be done
 */
export function doDashboardAct(
  { service, keys, faults }: { service: DesignService; keys: Keys; faults: FaultsPanel },
  act: DashboardAct,
): void {
  const { cards } = service;
  switch (act.do) {
    case 'set-status': {
      const status = Object.values(STATUSES).find(({ id }) => id === act.statusId);
      if (!status) throw new Error('The service has no such status.');
      cards.update(act.cardId, { status });
      return;
    }
    case 'add-file':
      cards.addFile(act.cardId, { name: act.name });
      return;
    case 'edit': {
      const { cardId, do: _do, descriptionHtml: description, dueDate, ...texts } = act;
      const due = dueDate === '' ? null : new Date(`${dueDate}T12:00:00Z`);
      cards.update(cardId, { ...texts, description, dueDate: due });
      return;
    }
    case 'revoke-key':
      keys.revoke(act.owner);
      return;
    case 'new-key':
      keys.renew(act.owner);
      return;
    case 'limit-key':
      keys.limit(act.owner, act.perMinute);
      return;
    case 'add-fault':
      faults.add(act.name, act.once);
      return;
    case 'remove-fault':
      faults.remove(act.id);
      return;
    case 'remove-all-faults':
      faults.clear();
      return;
  }
}
