import { createContext, use } from 'react';
import type { DashboardAct } from '../../acts/dashboard-acts.ts';
import type { DashboardSnapshot } from '../../snapshots/dashboard-snapshot.ts';

export type Dashboard = {
  snapshot: DashboardSnapshot;
  /** Resolves when the page shows the result. Rejects with a message for the page. */
  act(act: DashboardAct): Promise<void>;
};

export const DashboardContext = createContext<Dashboard | undefined>(undefined);

export function useDashboard(): Dashboard {
  const dashboard = use(DashboardContext);
  if (!dashboard) throw new Error('There is no dashboard context.');
  return dashboard;
}
