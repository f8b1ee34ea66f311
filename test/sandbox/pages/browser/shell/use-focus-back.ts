import { useEffect } from 'react';
import { MAIN_INPUT } from './frame.tsx';

/** When the component goes away with the focus in it, the message box gets it, so that people can type on. */
export function useFocusBack(): void {
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body;
      if (isLost) document.getElementById(MAIN_INPUT)?.focus();
    },
    [],
  );
}
