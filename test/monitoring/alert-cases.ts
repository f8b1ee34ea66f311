/** Samples by series, in promtool's notation: `0+2x60` begins at 0 and adds 2 sixty times. */
export type Samples = Record<string, string>;

/**
 * What happens, which alert fires then and no other, and what differs from a calm deployment: one sample a minute. With
 * the samples of a week before, all are ten minutes apart.
 */
type AlertCase = [
  what: string,
  fires?: string | undefined,
  samples?: Samples,
  weekBefore?: Samples,
];

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
  ['all is well'],
  ['the app does not answer', 'AppDown', { [UP]: constant(0) }],
  [
    'the signing secret is wrong',
    'DeliveriesRefused',
    { [refused('signature')]: growing(1), [deliveries('acknowledged')]: constant(0) },
  ],
  ['Prometheus has lost the app', 'AppDown', { [UP]: '1x50' }],
  ['the app was restarted once', undefined, { [STARTED]: `1000x65 2000x${LAST}` }],
  [
    'the app is restarted every five minutes',
    'AppRestarting',
    { [STARTED]: Array.from({ length: LAST }, (_, minute) => minute - (minute % 5)).join(' ') },
  ],
  ['the socket is lost', 'SlackDisconnected', { [CONNECTED]: constant(0) }],
  [
    'Slack has been silent for hours, in which it wasn’t a week ago',
    'SlackSilent',
    SILENCE,
    { [deliveries('acknowledged')]: growing(2) },
  ],
  [
    'Slack has been silent for hours, in which it was a week ago, too',
    undefined,
    SILENCE,
    { [deliveries('acknowledged')]: constant(50) },
  ],
  [
    'Slack has been silent for hours of the app’s first week',
    undefined,
    { ...SILENCE, [SILENT]: growing(60) },
  ],
  [
    'Slack has been silent for four days',
    'SlackSilent',
    { ...SILENCE, [SILENT]: constant(4 * 86_400) },
  ],
  ['Slack can’t be reached', 'SlackFailing', { [slackErrors('network')]: growing(5) }],
  ['Slack answers 503', 'SlackFailing', { [slackErrors('http_503')]: growing(5) }],
  [
    'the bot token is no longer valid',
    'SlackRefuses',
    { [slackErrors('invalid_auth')]: growing(10) },
  ],
  ['deliveries wait for two seconds', 'AcknowledgmentsSlow', acknowledgedIn(2)],
  [
    'deliveries are not acknowledged',
    'AcknowledgmentsFailing',
    { [deliveries('failed')]: growing(1) },
  ],
  ['forms take more than two seconds', 'FormsSlow', openedIn(2.5)],
  ['a request has been queued for an hour', 'RequestsStuck', { [oldest('queued')]: growing(60) }],
  [
    'a request has been “sending” for an hour',
    'RequestsStuck',
    { [oldest('sending')]: growing(60) },
  ],
  ['several requests are in doubt', 'RequestsInDoubt', { [IN_DOUBT]: constant(3) }],
  [
    'a request has been in doubt for a day',
    'RequestsInDoubt',
    { [oldest('in_doubt')]: constant(90_000) },
  ],
  [
    'the service rejects what it used to accept',
    'RequestsRejected',
    { [answers('POST', '2xx')]: constant(0) },
  ],
  ['jobs don’t start', 'JobsBehind', { [OLDEST_JOB]: growing(60) }],
  ['a job was given up', 'JobsFailed', { [FAILED_JOBS]: justNow(1) }],
  ['a key was rejected', 'KeyRejected', { [answers('GET', '401')]: justNow(1) }],
  ['a key can’t be decrypted', 'KeysUndecryptable', { [UNDECRYPTABLE]: justNow(1) }],
  ['something else uses the key', 'CallsRefused', { [calls('person', 'refused')]: growing(1) }],
  ['links can’t be read for lack of calls', 'CallsShed', { [calls('posted', 'shed')]: growing(3) }],
  ['the service answers 503', 'ServiceFailing', { [answers('GET', '5xx')]: growing(10) }],
  [
    'the service is slow to answer',
    'ServiceFailing',
    { [answers('GET', 'timed_out')]: growing(10) },
  ],
  ['the disk is slow', 'DatabaseSlow', committedIn(1)],
  [
    'the database is unavailable',
    'DatabaseFailing',
    { [DATABASE_ERRORS]: growing(30), [OLDEST_JOB]: '2x50', [oldest('queued')]: '60x50' },
  ],
  ['a twentieth of the disk is left', 'DiskFilling', { [DISK_FREE]: constant(0.05) }],
  ['the backups have stopped', 'BackupOld', { [BACKUP_AGE]: constant(3 * 86_400) }],
];
