import type { Person } from '../stand-ins/slack/people/person.ts';
import type { Message, User } from '../stand-ins/slack/state/model.ts';

/** What an author decides about a request that may or may not have arrived. */
export type Decision = 'Not there, send again' | 'Found it' | 'Discard';

/** A request that was acknowledged to its author. */
export type Sent = {
  title: string;
  by: Person;
  /** Its author's decisions, oldest first. */
  decisions: Decided[];
};

type Decided = {
  decision: Decision;
  /** Of the request when its author was asked. */
  revision: number;
  /** How many cards there were for it when its author first pressed the button. */
  cards: number;
};

/** What people did in a run; the checks compare it with what the app did. */
export type History = {
  sent: Sent[];
  /** Messages with a link to a card, and the card's title. */
  links?: { message: Message; title: string }[];
  /** Who must be told that a key was rejected. */
  toldOfRejectedKey?: User[];
  /** A working key was connected in the end, so no request may wait for one. */
  hasWorkingKey?: boolean;
  /** The app can search for cards, so it knows each request's card in the end. */
  hasProject?: boolean;
  /** The workspace removed the app. */
  isUninstalled?: boolean;
};
