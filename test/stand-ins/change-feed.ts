/** Listeners that get each change, in the order in which they were added. */
export function createFeed<Change>() {
  const listeners = new Set<(change: Change) => void>();
  return {
    emit(change: Change) {
      for (const listener of [...listeners]) listener(change);
    },
    onChange(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
