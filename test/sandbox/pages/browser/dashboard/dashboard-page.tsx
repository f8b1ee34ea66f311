import { useCallback, useMemo, useState } from 'react';
import type { DashboardAct } from '../../acts/dashboard-acts.ts';
import type { CardRow, DashboardSnapshot } from '../../snapshots/dashboard-snapshot.ts';
import { send, useLive } from '../live/use-live.ts';
import { Frame } from '../shell/frame.tsx';
import { useQuery } from '../shell/use-query.ts';
import { timeOfDay } from '../text/slack-date.ts';
import { Card } from './card.tsx';
import { DashboardContext, useDashboard } from './dashboard-context.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { Keys } from './keys.tsx';

function CardList(props: { openId: string | undefined; open: (id: string | undefined) => void }) {
  const { openId, open } = props;
  const { cards } = useDashboard().snapshot;
  const [query, setQuery] = useState('');
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = cards.filter(({ id, title, brand = '', status, words: more }) => {
    const text = `${id} ${title} ${brand} ${status.name} ${more}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <section className="stack card-list" aria-labelledby="cards-title">
      <h2 id="cards-title">
        Cards <span className="count">{cards.length}</span>
      </h2>
      <input
        type="search"
        className="input"
        aria-label="Search cards"
        placeholder="Title, ID, or DR-…"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      {found.length === 0 ? <p className="shell-note">No card has these words.</p> : null}
      <ul className="stack">
        {found.map((card) => (
          <li key={card.id}>
            <CardLink card={card} isOpen={card.id === openId} open={() => open(card.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function CardLink({ card, isOpen, open }: { card: CardRow; isOpen: boolean; open: () => void }) {
  const { id, title, status, brand, picture } = card;
  return (
    <button
      type="button"
      className="row card-link"
      aria-current={isOpen ? 'true' : undefined}
      onClick={open}
    >
      <span className="stack card-link-words">
        <strong>{title}</strong>
        <span className="clip soft">
          <span className="status-dot" style={{ backgroundColor: status.color }} />
          {[status.name, brand, id].filter(Boolean).join(' · ')}
        </span>
      </span>
      {picture ? <img src={picture} alt="" width="56" height="32" loading="lazy" /> : null}
    </button>
  );
}

function Ledger() {
  const { calls, callCount, largestWindow } = useDashboard().snapshot;
  return (
    <section className="stack panel" aria-labelledby="ledger-title">
      <h2 id="ledger-title">
        Calls <span className="count">{callCount}</span>
      </h2>
      <p className="soft">At most {largestWindow} of one key in any 60 seconds.</p>
      <ol>
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

export function DashboardPage() {
  const [{ card: cardId }, go] = useQuery();
  const open = (card: string | undefined) => go({ card });
  const query = cardId ? `?card=${encodeURIComponent(cardId)}` : '';
  const live = useLive<DashboardSnapshot>(`/live/dashboard${query}`);
  const { state: snapshot, whenShown } = live;
  const act = useCallback(
    async (what: DashboardAct) => {
      const { revision } = await send('dashboard', what);
      await whenShown(revision);
    },
    [whenShown],
  );
  const dashboard = useMemo(() => (snapshot ? { snapshot, act } : undefined), [snapshot, act]);
  return (
    <Frame page="dashboard" live={live}>
      {dashboard ? (
        <DashboardContext value={dashboard}>
          <main className="dashboard" data-card-open={cardId !== undefined || undefined}>
            <h1 className="visually-hidden">Dashboard of the design service</h1>
            <CardList openId={cardId} open={open} />
            {dashboard.snapshot.open && dashboard.snapshot.open.id === cardId ? (
              <Card key={cardId} card={dashboard.snapshot.open} close={() => open(undefined)} />
            ) : (
              <p className="shell-note no-card">Select a card to see its details.</p>
            )}
            <div className="stack service-panels">
              <FaultsPanel />
              <Keys />
              <Ledger />
            </div>
          </main>
        </DashboardContext>
      ) : null}
    </Frame>
  );
}
