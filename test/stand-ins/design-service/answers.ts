type NamesShape = 'string' | 'array' | 'array-of-objects';

/** One switch for each thing that api.md marks "not shown". Read again for every call. */
export type Answers = {
  /** How `POST /card` answers after creating the card. */
  createCard:
    | 'task'
    | 'id-only'
    | 'bare-id'
    | 'message-only'
    | 'status-201'
    | 'status-202-empty'
    | 'status-204'
    | 'empty-body';
  brandShape: 'null' | 'string-id' | 'string-name' | 'object' | 'number';
  createdByShape: 'null' | 'string' | 'object';
  dueDateShape: 'null' | 'timestamp' | 'iso' | 'unix-seconds' | 'unix-ms' | 'object' | 'nonsense';
  labelsShape: NamesShape;
  tagsShape: NamesShape;
  filesShape: 'array' | 'missing';
  statusShape: 'object' | 'null';
  /** How `GET /tasks` answers. */
  tasksShape: 'data-array' | 'data-items' | 'bare-array' | 'empty-object' | 'not-found' | 'html';
  /** What the service takes as an element of the file arrays; any other is refused. */
  fileElement: 'any' | 'url' | 'object';
  /** How `GET /tasks` answers for a project that no account has. */
  unknownProject: 'not-found' | 'forbidden' | 'invalid' | 'empty';
  /** How the 60 seconds of the rate limit are counted. */
  window: 'fixed' | 'sliding';
};

/** The plainest reading of api.md. */
export function defaultAnswers(): Answers {
  return {
    createCard: 'task',
    brandShape: 'object',
    createdByShape: 'object',
    dueDateShape: 'timestamp',
    labelsShape: 'string',
    tagsShape: 'string',
    filesShape: 'array',
    statusShape: 'object',
    tasksShape: 'data-array',
    fileElement: 'any',
    unknownProject: 'not-found',
    window: 'fixed',
  };
}
