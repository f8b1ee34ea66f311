/** Words that say that work has ended without a result. */
const CALLED_OFF = new Set(['cancelled', 'canceled', 'rejected', 'declined']);
/** Words that say that it has ended. The service doesn't document which statuses are final. */
const FINISHED = new Set([
  'done',
  'complete',
  'completed',
  'delivered',
  'approved',
  'finished',
  'closed',
  'resolved',
  'published',
  'released',
  'shipped',
  'archived',
  ...CALLED_OFF,
  'fertig',
  'erledigt',
  'abgeschlossen',
  'geliefert',
  'terminé',
  'livré',
  'terminado',
  'entregado',
]);
/** "Not done", "To be approved", "Almost done", "Ready to be published": work goes on. */
const NOT_FINISHED = new Set([
  'not',
  'to',
  'be',
  'being',
  'almost',
  'nearly',
  'partly',
  'partially',
  'un',
  'ready',
  'for',
  'waiting',
  'awaiting',
  'pending',
  'until',
  'before',
  'when',
  'if',
  'nicht',
  'pas',
  'no',
]);

/**
 * Whether one word of a status says that work has ended, and none takes that back. After a wrong yes,
 * the card is read for only a few days after its last change; after a wrong no, for a month.
 */
export function isFinished(status: string | undefined): boolean {
  const words = wordsOf(status);
  return words.some((word) => FINISHED.has(word)) && !words.some((word) => NOT_FINISHED.has(word));
}

/** Whether work has ended with a result, as `isFinished` judges. */
export const isDone = (status: string | undefined): boolean =>
  isFinished(status) && !wordsOf(status).some((word) => CALLED_OFF.has(word));

const wordsOf = (status: string | undefined) =>
  status?.toLowerCase().split(/[^\p{L}\p{N}]+/u) ?? [];
