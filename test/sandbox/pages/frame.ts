import { z } from 'zod';

/** The app's state: starting, running, or frozen. */
export type AppState = 'starting' | 'running' | 'frozen';

/** What a newcomer can try. */
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

/** What can be done with the app itself, from any page. */
export const appAct = z.object({ do: z.enum(['freeze', 'resume']) });
