/** Samples by series, in promtool's notation: `0+2x60` begins at 0 and adds 2 sixty times. */
export type Samples = Record<string, string>;

/** What happens in which series, and which alerts fire then, and no others. */
export type AlertCase = {
  what: string;
  fires: string[];
  /** What differs from a calm deployment, one sample a minute. */
  samples?: Samples;
  /** The samples of a week before, if they matter; all samples are then ten minutes apart. */
  weekBefore?: Samples;
};

/** The sample at which the rules are evaluated. */
export const EVALUATED_AT = 75;
const LAST = 90;

const constant = (value: number) => `${value}x${LAST}`;
const growing = (by: number) => `0+${by}x${LAST}`;
/** Happens once, ten samples before the evaluation. */
const justNow = (count: number) => `0x${EVALUATED_AT - 11} ${count}x${LAST}`;

const labeled = (name: string, labels: Record<string, string> = {}) => {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return `design_request_${name}{${pairs.join(',')}}`;
};

/** Buckets that are enough for what the rules ask, in seconds. */
const BUCKETS = [0.05, 0.1, 0.5, 1, 1.5, 2, 2.5, 3];

/** A histogram that grows by ten a minute, each time by a value in the bucket up to that many seconds. */
const histogram = (name: string, labels: Record<string, string>, upTo: number): Samples =>
  Object.fromEntries(
    [...BUCKETS, Number.POSITIVE_INFINITY].map((seconds) => [
      labeled(`${name}_bucket`, {
        ...labels,
        le: Number.isFinite(seconds) ? String(seconds) : '+Inf',
      }),
      seconds < upTo ? constant(0) : growing(10),
    ]),
  );

const UP = 'up{job="design-request"}';
const STARTED = 'process_start_time_seconds{job="design-request"}';
const refused = (reason: string) => labeled('deliveries_refused_total', { reason });
const SILENT = labeled('slack_silent_seconds');
const CONNECTED = labeled('slack_connected', { transport: 'socket' });
const SLACK_CALLS = labeled('slack_call_seconds_count', { method: 'chat.postMessage' });
const FAILED_JOBS = labeled('job_attempts_total', { kind: 'deliver-request', outcome: 'failed' });
const OLDEST_JOB = labeled('jobs_oldest_due_seconds', { kind: 'deliver-request' });
const DISK_FREE = labeled('disk_free_ratio');
const BACKUP_AGE = labeled('backup_age_seconds');
const UNDECRYPTABLE = labeled('decryption_errors_total', { reason: 'unknown_key' });
const DATABASE_ERRORS = labeled('database_errors_total', { step: 'write' });

const deliveries = (outcome: string) =>
  labeled('acknowledgment_seconds_count', { kind: 'event', outcome });
const slackErrors = (code: string) =>
  labeled('slack_errors_total', { method: 'chat.postMessage', code });
const oldest = (state: string) => labeled('requests_oldest_seconds', { state });
const IN_DOUBT = labeled('requests', { state: 'in_doubt' });
const answers = (method: string, outcome: string) =>
  labeled('service_answers_total', { method, outcome });
const calls = (callClass: string, outcome: string) =>
  labeled('service_calls_total', { class: callClass, outcome });
const acknowledgedIn = (seconds: number) =>
  histogram('acknowledgment_seconds', { kind: 'event' }, seconds);
const openedIn = (seconds: number) => histogram('modal_open_seconds', {}, seconds);
const committedIn = (seconds: number) => histogram('database_seconds', { step: 'commit' }, seconds);

/** A busy deployment that is well, with a few failures of the kinds that are ordinary. */
export const CALM: Samples = {
  [UP]: constant(1),
  [STARTED]: constant(1_000),
  [SILENT]: constant(5),
  [refused('signature')]: justNow(3),
  [refused('unsigned')]: growing(50),
  [CONNECTED]: constant(1),
  ...acknowledgedIn(0.05),
  [deliveries('acknowledged')]: growing(10),
  [deliveries('failed')]: justNow(1),
  ...openedIn(0.5),
  [SLACK_CALLS]: growing(10),
  [slackErrors('not_in_channel')]: growing(5),
  [slackErrors('network')]: growing(1),
  [slackErrors('token_revoked')]: justNow(2),
  [oldest('queued')]: constant(60),
  [oldest('sending')]: constant(10),
  [oldest('waiting_for_key')]: growing(3_600),
  [oldest('in_doubt')]: constant(300),
  [IN_DOUBT]: constant(1),
  [OLDEST_JOB]: constant(2),
  [FAILED_JOBS]: constant(3),
  [answers('POST', '2xx')]: growing(2),
  [answers('POST', '4xx')]: growing(1),
  [answers('GET', '2xx')]: growing(20),
  [answers('GET', '5xx')]: growing(1),
  [answers('GET', '401')]: constant(0),
  [calls('person', 'refused')]: justNow(2),
  [calls('posted', 'shed')]: growing(1),
  [calls('watch', 'shed')]: growing(10),
  ...committedIn(0.05),
  [DATABASE_ERRORS]: justNow(1),
  [UNDECRYPTABLE]: constant(2),
  [DISK_FREE]: constant(0.4),
  [BACKUP_AGE]: constant(90_000),
};

/** Nothing has come from Slack for hours. */
const SILENCE: Samples = { [SILENT]: growing(600), [deliveries('acknowledged')]: constant(0) };

export const ALERT_CASES: AlertCase[] = [
  { what: 'all is well', fires: [] },
  { what: 'the app does not answer', fires: ['AppDown'], samples: { [UP]: constant(0) } },
  {
    what: 'the signing secret is wrong',
    fires: ['DeliveriesRefused'],
    samples: {
      [refused('signature')]: growing(1),
      [deliveries('acknowledged')]: constant(0),
    },
  },
  { what: 'Prometheus has lost the app', fires: ['AppDown'], samples: { [UP]: '1x50' } },
  {
    what: 'the app was restarted once',
    fires: [],
    samples: { [STARTED]: `1000x65 2000x${LAST}` },
  },
  {
    what: 'the app is restarted every five minutes',
    fires: ['AppRestarting'],
    samples: {
      [STARTED]: Array.from({ length: LAST }, (_, minute) => minute - (minute % 5)).join(' '),
    },
  },
  {
    what: 'the socket is lost',
    fires: ['SlackDisconnected'],
    samples: { [CONNECTED]: constant(0) },
  },
  {
    what: 'Slack has been silent for hours, in which it wasn’t a week ago',
    fires: ['SlackSilent'],
    samples: SILENCE,
    weekBefore: { [deliveries('acknowledged')]: growing(2) },
  },
  {
    what: 'Slack has been silent for hours, in which it was a week ago, too',
    fires: [],
    samples: SILENCE,
    weekBefore: { [deliveries('acknowledged')]: constant(50) },
  },
  {
    what: 'Slack has been silent for hours of the app’s first week',
    fires: [],
    samples: { ...SILENCE, [SILENT]: growing(60) },
  },
  {
    what: 'Slack has been silent for four days',
    fires: ['SlackSilent'],
    samples: { ...SILENCE, [SILENT]: constant(4 * 86_400) },
  },
  {
    what: 'Slack can’t be reached',
    fires: ['SlackFailing'],
    samples: { [slackErrors('network')]: growing(5) },
  },
  {
    what: 'Slack answers 503',
    fires: ['SlackFailing'],
    samples: { [slackErrors('http_503')]: growing(5) },
  },
  {
    what: 'the bot token is no longer valid',
    fires: ['SlackRefuses'],
    samples: { [slackErrors('invalid_auth')]: growing(10) },
  },
  {
    what: 'deliveries wait for two seconds',
    fires: ['AcknowledgmentsSlow'],
    samples: acknowledgedIn(2),
  },
  {
    what: 'deliveries are not acknowledged',
    fires: ['AcknowledgmentsFailing'],
    samples: { [deliveries('failed')]: growing(1) },
  },
  {
    what: 'forms take more than two seconds',
    fires: ['FormsSlow'],
    samples: openedIn(2.5),
  },
  {
    what: 'a request has been queued for an hour',
    fires: ['RequestsStuck'],
    samples: { [oldest('queued')]: growing(60) },
  },
  {
    what: 'a request has been “sending” for an hour',
    fires: ['RequestsStuck'],
    samples: { [oldest('sending')]: growing(60) },
  },
  {
    what: 'several requests are in doubt',
    fires: ['RequestsInDoubt'],
    samples: { [IN_DOUBT]: constant(3) },
  },
  {
    what: 'a request has been in doubt for a day',
    fires: ['RequestsInDoubt'],
    samples: { [oldest('in_doubt')]: constant(90_000) },
  },
  {
    what: 'the service rejects what it used to accept',
    fires: ['RequestsRejected'],
    samples: { [answers('POST', '2xx')]: constant(0) },
  },
  {
    what: 'jobs don’t start',
    fires: ['JobsBehind'],
    samples: { [OLDEST_JOB]: growing(60) },
  },
  {
    what: 'a job was given up',
    fires: ['JobsFailed'],
    samples: { [FAILED_JOBS]: justNow(1) },
  },
  {
    what: 'a key was rejected',
    fires: ['KeyRejected'],
    samples: { [answers('GET', '401')]: justNow(1) },
  },
  {
    what: 'a key can’t be decrypted',
    fires: ['KeysUndecryptable'],
    samples: { [UNDECRYPTABLE]: justNow(1) },
  },
  {
    what: 'something else uses the key',
    fires: ['CallsRefused'],
    samples: { [calls('person', 'refused')]: growing(1) },
  },
  {
    what: 'links can’t be read for lack of calls',
    fires: ['CallsShed'],
    samples: { [calls('posted', 'shed')]: growing(3) },
  },
  {
    what: 'the service answers 503',
    fires: ['ServiceFailing'],
    samples: { [answers('GET', '5xx')]: growing(10) },
  },
  {
    what: 'the service is slow to answer',
    fires: ['ServiceFailing'],
    samples: { [answers('GET', 'timed_out')]: growing(10) },
  },
  {
    what: 'the disk is slow',
    fires: ['DatabaseSlow'],
    samples: committedIn(1),
  },
  {
    what: 'the database is away',
    fires: ['DatabaseFailing'],
    samples: { [DATABASE_ERRORS]: growing(30), [OLDEST_JOB]: '2x50', [oldest('queued')]: '60x50' },
  },
  {
    what: 'a twentieth of the disk is left',
    fires: ['DiskFilling'],
    samples: { [DISK_FREE]: constant(0.05) },
  },
  {
    what: 'the backups have stopped',
    fires: ['BackupOld'],
    samples: { [BACKUP_AGE]: constant(3 * 86_400) },
  },
];
