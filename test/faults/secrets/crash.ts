import type { AppProcess } from '../app-process.ts';

/** Makes the process end with an unhandled error when it gets SIGUSR2. */
export function crashOnSignal(secrets: {
  /** From the configuration, which the log knows: they may be in the error's message. */
  configured: readonly string[];
  /** Only attached to the error, as libraries attach their requests. */
  hanging: readonly string[];
  how: 'exception' | 'rejection';
}): Record<string, string> {
  const code = `process.on('SIGUSR2', () => {
    const { configured, hanging, how } = JSON.parse(process.env.FAULT_SECRETS);
    const words = configured.join(' ');
    const headers = { 'x-api-key': hanging.join(' ') };
    const error = Object.assign(
      new Error('unforeseen ' + words, { cause: Object.assign(new Error(words), { headers }) }),
      { options: { headers }, response: { body: words }, code: 'EUNFORESEEN' },
    );
    if (how === 'exception') throw error;
    Promise.reject(error);
  });`;
  return {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}`,
    // Not in the code itself, which would be in every stack.
    FAULT_SECRETS: JSON.stringify(secrets),
  };
}

export async function crash(app: AppProcess): Promise<void> {
  process.kill(app.pid, 'SIGUSR2');
  await app.ended;
}
