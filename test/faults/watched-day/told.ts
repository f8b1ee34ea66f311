import type { WatchedCard } from './stage.ts';

/** What was told about a card, compared with what happened to it. */
export type Told = {
  changes: number;
  messages: number;
  /** Changes that nobody was told about at the end. */
  missed: number;
  /** Changes that were told again. */
  twice: number;
  /** Changes of the status that were undone before the card was read, and what undid them: nothing to tell. */
  undone: number;
  /** From each other change until the message that told it, in ms. */
  delays: number[];
};

/** Reads the messages in the thread where a card is watched. */
export function toldAbout({ team, message, firstStatus, changes }: WatchedCard): Told {
  const messages = team.workspace
    .messages(team.channel)
    .filter(({ threadTs }) => threadTs === message.ts)
    .map(({ ts, text }) => ({ at: Number(ts) * 1_000, ...readText(text) }));

  let status = firstStatus;
  let files = 0;
  let twice = 0;
  const told = messages.map((one) => {
    // A message that was posted again begins where the previous one ended.
    if (one.from !== undefined && one.from !== status) twice += 1;
    status = one.to ?? status;
    files += one.files;
    return { ...one, allFiles: files };
  });

  let added = 0;
  let undone = 0;
  const delays: number[] = [];
  for (const change of changes) {
    if ('file' in change) added += 1;
    const inMessage = told.find(({ at, to, due, allFiles }) => {
      if (at < change.at) return false;
      if ('file' in change) return allFiles >= added;
      return 'due' in change ? due : to !== undefined;
    });
    if (!inMessage) continue;
    const isUndone =
      'status' in change &&
      changes.some(
        (other) =>
          'status' in other &&
          other.at >= change.at &&
          other.at < inMessage.at &&
          other.status.name === inMessage.from,
      );
    if (isUndone) undone += 1;
    else delays.push(inMessage.at - change.at);
  }
  const lastStatus = changes.findLast((change) => 'status' in change)?.status.name ?? firstStatus;
  const lastDue = changes.findLast((change) => 'due' in change);
  const isDueTold = !lastDue || told.some(({ at, due }) => due && at >= lastDue.at);
  return {
    changes: changes.length,
    messages: messages.length,
    missed: Number(lastStatus !== status) + Math.max(0, added - files) + Number(!isDueTold),
    twice: twice + Math.max(0, files - added),
    undone,
    delays,
  };
}

/** @returns what a message says, such as "Card 1: To do → In review · 2 new files · due 03-Dec-2026" */
function readText(text: string) {
  const [, from, to] = /: ([^·:→]+) → ([^·.]+?)(?: ·|\.|$)/.exec(text) ?? [];
  const [, files = '0'] = /(\d+) new file/.exec(text) ?? [];
  return { from, to, files: Number(files), due: / due |: due /.test(text) };
}
