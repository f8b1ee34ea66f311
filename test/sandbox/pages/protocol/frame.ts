import { z } from 'zod';

/** How the app is: starting, at work, or stopped where it stands. */
export type AppState = 'starting' | 'running' | 'frozen';

/** What every page is told beside its own state. */
export type FrameShown = { app: AppState };

/** What can be done with the app itself, from any page. */
export const appAct = z.object({ do: z.enum(['freeze', 'resume']) });
