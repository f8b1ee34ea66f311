import { MAIN_ENTRY } from '../fresh-bundle.ts';

// The app with one difference: the process that started it can shift its clock, from the start and later.
// biome-ignore lint/style/noProcessEnv: whoever starts the app passes it on like the settings.
let offsetMs = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const realNow = Date.now;
Date.now = () => realNow() + offsetMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length > 0 ? given : [Date.now()], newTarget),
});

process.on('message', (message) => {
  if (typeof message !== 'object' || message === null || !('clockOffsetMs' in message)) return;
  offsetMs = Number(message.clockOffsetMs);
  process.send?.('moved');
});

await import(MAIN_ENTRY);
