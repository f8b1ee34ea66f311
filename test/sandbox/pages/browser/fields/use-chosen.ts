import { useState } from 'react';

/**
 * The choice in a field: shown at once, and replaced by the sandbox's value as soon as that arrives.
 *
 * @param held the sandbox's values
 * @param send sends new values to the sandbox; resolves when the page shows the result
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
