import type { DashboardSnapshot } from '../../snapshots/dashboard-snapshot.ts';
import { timeOfDay } from '../text/slack-date.ts';
import { useDashboard } from './dashboard-context.tsx';

export function Ledger() {
  const { calls, callCount, largestWindow } = useDashboard().snapshot;
  return (
    <section className="panel" aria-labelledby="ledger-title">
      <h2 id="ledger-title">
        Calls <span className="count">{callCount}</span>
      </h2>
      <p className="panel-note">At most {largestWindow} of one key in any 60 seconds.</p>
      <ol className="ledger">
        {calls.map((call) => (
          <Call key={call.seq} call={call} />
        ))}
      </ol>
    </section>
  );
}

function Call({ call }: { call: DashboardSnapshot['calls'][number] }) {
  const { at, call: what, status, isOver, executed, owner, cause } = call;
  const outcome = status ?? (isOver ? 'no answer' : '…');
  const good = status !== undefined && status < 400;
  return (
    <li className="call" data-good={good || undefined} data-under-way={!isOver || undefined}>
      <span className="call-status">{outcome}</span>
      <span className="call-what">{what}</span>
      <time>{timeOfDay(at)}</time>
      <span className="call-who">
        {owner}
        {cause ? `: ${cause}` : ''}
        {!good && executed ? ' (executed anyway)' : ''}
      </span>
    </li>
  );
}
