import { useState } from 'react';

/**
 * What is chosen in a field: shown at once, and as the sandbox has it as soon as it has it.
 *
 * @param held values as the sandbox has them
 * @param send gives the sandbox new ones; resolves when the page shows what it made of them
 */
export function useChosen(
  held: string[],
  send: (values: string[]) => Promise<void>,
): [string[], (values: string[]) => void] {
  const [mine, setMine] = useState<string[]>();
  function choose(values: string[]) {
    setMine(values);
    void send(values).finally(() => setMine((now) => (now === values ? undefined : now)));
  }
  return [mine ?? held, choose];
}
