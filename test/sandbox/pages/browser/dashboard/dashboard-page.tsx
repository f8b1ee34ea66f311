import { useCallback, useEffect, useMemo, useState } from 'react';
import type { DashboardAct } from '../../protocol/dashboard.ts';
import type { DashboardSnapshot } from '../../snapshots/dashboard-snapshot.ts';
import { send, useLive } from '../live/use-live.ts';
import { Frame } from '../shell/frame.tsx';
import { Card } from './card.tsx';
import { CardList } from './card-list.tsx';
import { DashboardContext } from './dashboard-context.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { Keys } from './keys.tsx';
import { Ledger } from './ledger.tsx';

export function DashboardPage() {
  const [cardId, open] = useOpenCard();
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
              <p className="no-card">Select a card to see its details.</p>
            )}
            <div className="service-panels">
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

/** The open card's ID, kept in the URL. */
function useOpenCard(): [string | undefined, (id: string | undefined) => void] {
  const read = () => new URLSearchParams(location.search).get('card') ?? undefined;
  const [cardId, setCardId] = useState(read);
  useEffect(() => {
    const back = () => setCardId(read());
    window.addEventListener('popstate', back);
    return () => window.removeEventListener('popstate', back);
  });
  const open = (id: string | undefined) => {
    history.pushState(null, '', id ? `/dashboard?card=${encodeURIComponent(id)}` : '/dashboard');
    setCardId(id);
  };
  return [cardId, open];
}
