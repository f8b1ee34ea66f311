import type { Person } from '../stand-ins/slack/people/person.ts';
import type { Message, User } from '../stand-ins/slack/state/model.ts';

/** What an author decides about a request that may or may not have arrived. */
export type Decision = 'Send again' | 'It is there' | 'Discard';

/** A request whose author saw that it was taken. */
export type Sent = {
  title: string;
  by: Person;
  /** What its author decided, oldest first. */
  decisions: Decided[];
};

type Decided = {
  decision: Decision;
  /** Of the request that was asked about. */
  revision: number;
  /** How many cards it had become when its author pressed the button for the first time. */
  cards: number;
};

/** What people did in a run, by which it is judged what the app made of it. */
export type History = {
  sent: Sent[];
  /** Messages with a link to a card, and the card's title. */
  links?: { message: Message; title: string }[];
  /** Who must hear that a key was rejected. */
  toldOfRejectedKey?: User[];
  /** A working key was connected in the end, so no request waits for one. */
  hasWorkingKey?: boolean;
  /** The workspace removed the app. */
  isUninstalled?: boolean;
};
