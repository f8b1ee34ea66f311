import { z } from 'zod';

/** The app's state: starting, running, or frozen. */
export type AppState = 'starting' | 'running' | 'frozen';

/** What every page gets besides its own state. */
export type FrameShown = { app: AppState };

/** What can be done with the app itself, from any page. */
export const appAct = z.object({ do: z.enum(['freeze', 'resume']) });
