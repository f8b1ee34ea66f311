import { z } from 'zod';

export type AppState = 'starting' | 'running' | 'frozen';

export type TourStep = 'request' | 'link' | 'deliver' | 'fault' | 'freeze' | 'key';

/** What every page gets besides its own state. */
export type FrameShown = {
  app: AppState;
  tour: {
    done: TourStep[];
    /** The URL of the newest card that somebody requested in the pages. */
    cardUrl: string | undefined;
    /** The person who can connect an API key. */
    adminId: string;
  };
};

export const appAct = z.object({ do: z.enum(['freeze', 'resume']) });
