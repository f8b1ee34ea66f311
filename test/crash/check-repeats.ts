import type { Happened } from './world/happened.ts';
import type { World } from './world/world.ts';

type Request = { id: string; reference: string };
/** A message, who posted it, and whether it is on disk that its author was told. */
type Posted = { message: string; process: string; isStored: boolean };

/**
 * Messages about a request that were posted again although the app knew that they had been: nothing
 * interrupted the process before it stored that the author was told.
 */
export function needlessRepeats(world: World, request: Request): string[] {
  let posted: Posted[] = [];
  /** A process that was frozen goes on with what others may have done meanwhile. */
  const frozen = new Set<string>();
  const repeats: string[] = [];
  for (const { one, message } of relevant(world, request)) {
    if (message !== undefined) {
      // What a process sent right before it was frozen may arrive while it can't store that it has.
      const isRepeated = posted.some(
        (other) => other.message === message && (other.isStored || !frozen.has(other.process)),
      );
      if (isRepeated && !frozen.has(one.process)) repeats.push(message);
      posted.push({ message, process: one.process, isStored: false });
    } else if (one.kind === 'is interrupted') {
      if (one.by === 'freeze') frozen.add(one.process);
      posted = posted.filter(({ isStored }) => isStored);
    } else {
      posted = posted.map((known) => ({ ...known, isStored: true }));
    }
  }
  return repeats;
}

/** Interruptions, and what concerns the request; with the message if one was posted. */
function relevant({ slack, happened }: World, { id, reference }: Request) {
  const calls = slack.apiCalls.filter(({ method }) => method === 'chat.postMessage').values();
  const found: { one: Happened; message?: string }[] = [];
  for (const one of happened) {
    if (one.kind === 'posts') {
      const call = calls.next().value;
      const message = `${call?.args.text} in ${call?.args.channel}`;
      const isPosted = call?.response?.ok === true && message.includes(reference);
      if (isPosted) found.push({ one, message });
    } else if (one.kind === 'is interrupted') {
      found.push({ one });
    } else if (one.kind === 'stores that an author was told' && one.parameters.includes(id)) {
      found.push({ one });
    }
  }
  return found;
}
