/** One switch for each thing that api.md marks "not shown". The first of each is the plainest reading. */
const ANSWERS = {
  createCard: ['task', 'message-only'],
  brandShape: ['object', 'null', 'string-id', 'string-name', 'number'],
  createdByShape: ['object', 'null', 'string'],
  dueDateShape: ['timestamp', 'null', 'iso', 'unix-seconds', 'unix-ms', 'object', 'nonsense'],
  labelsShape: ['string', 'array', 'array-of-objects'],
  tagsShape: ['string', 'array', 'array-of-objects'],
  filesShape: ['array', 'missing'],
  statusShape: ['object', 'null'],
  tasksShape: ['data-array', 'not-found', 'html'],
  /** What the service takes as an element of the file arrays; any other is refused. */
  fileElement: ['any', 'object'],
  /** How `GET /tasks` answers for a project that no account has. */
  unknownProject: ['not-found', 'forbidden', 'invalid', 'empty'],
  window: ['fixed', 'sliding'],
} as const;

/** Read again for every call. */
export type Answers = { -readonly [Name in keyof typeof ANSWERS]: (typeof ANSWERS)[Name][number] };

export const defaultAnswers = () =>
  Object.fromEntries(Object.entries(ANSWERS).map(([name, [first]]) => [name, first])) as Answers;
