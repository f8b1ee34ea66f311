/** One chart, or one number, of the dashboard. `$__rate_interval` is filled in by Grafana. */
export type PanelSpec = {
  title: string;
  /** What it shows, and when to worry. */
  description: string;
  unit: 's' | 'short' | 'cpm' | 'percentunit' | 'bytes';
  queries: { expr: string; legend: string }[];
  /** From here on, something is wrong. */
  limit?: number;
};

export type RowSpec = { title: string; kind: 'numbers' | 'charts'; panels: PanelSpec[] };

const m = (name: string) => `design_request_${name}`;

/** Events a minute, which is how people count requests and calls. */
const perMinute = (by: string, selector: string) =>
  `60 * sum by (${by}) (rate(${selector}[$__rate_interval]))`;

const quantiles = (histogram: string) =>
  [50, 95, 99].map((percent) => ({
    expr: `histogram_quantile(0.${percent}, sum by (le) (rate(${m(histogram)}_bucket[$__rate_interval])))`,
    legend: `${percent} %`,
  }));

const slowest = (histogram: string, by: string) => ({
  expr: `histogram_quantile(0.95, sum by (le, ${by}) (rate(${m(histogram)}_bucket[$__rate_interval])))`,
  legend: `{{${by}}}`,
});

/** From Slack: for acknowledgments, and for the triggers that open modals. */
const SLACK_WAITS_S = 3;

/** In the order in which someone looks who was woken by an alert. */
export const ROWS: RowSpec[] = [
  {
    title: 'Is it working?',
    kind: 'numbers',
    panels: [
      {
        title: 'Replicas that answer',
        description: 'Prometheus can read their metrics.',
        unit: 'short',
        queries: [{ expr: 'sum(up{job="design-request"})', legend: '' }],
      },
      {
        title: 'Slack was last heard from',
        description: 'Nights and weekends are quiet; an hour of silence at work is not.',
        unit: 's',
        queries: [{ expr: `min(${m('slack_silent_seconds')})`, legend: '' }],
        limit: 3_600,
      },
      {
        title: 'Oldest request being sent',
        description: 'Queued or sending. Most are sent within seconds.',
        unit: 's',
        queries: [
          {
            expr: `max(${m('requests_oldest_seconds')}{state=~"queued|sending"})`,
            legend: '',
          },
        ],
        limit: 1_800,
      },
      {
        title: 'Requests in doubt',
        description: 'They may or may not have arrived; their authors decide.',
        unit: 'short',
        queries: [{ expr: `max(${m('requests')}{state="in_doubt"})`, legend: '' }],
        limit: 3,
      },
      {
        title: 'Oldest job that should run',
        description: 'Jobs start within a second, unless the app is overloaded.',
        unit: 's',
        queries: [{ expr: `max(${m('jobs_oldest_due_seconds')}) or vector(0)`, legend: '' }],
        limit: 300,
      },
      {
        title: 'Alerts',
        description: 'How many are firing.',
        unit: 'short',
        queries: [{ expr: 'count(ALERTS{alertstate="firing"}) or vector(0)', legend: '' }],
        limit: 1,
      },
    ],
  },
  {
    title: 'Slack',
    kind: 'charts',
    panels: [
      {
        title: 'Acknowledgments',
        description: 'How long deliveries wait. Slack gives up after 3 s.',
        unit: 's',
        queries: quantiles('acknowledgment_seconds'),
        limit: SLACK_WAITS_S,
      },
      {
        title: 'Forms',
        description: 'From a command or click to an open modal. Slack allows 3 s.',
        unit: 's',
        queries: quantiles('modal_open_seconds'),
        limit: SLACK_WAITS_S,
      },
      {
        title: 'Deliveries',
        description: 'By kind and answer. “failed”: people see an error.',
        unit: 'cpm',
        queries: [
          {
            expr: perMinute('kind, outcome', m('acknowledgment_seconds_count')),
            legend: '{{kind}} {{outcome}}',
          },
        ],
      },
      {
        title: 'Errors of Slack',
        description: 'By method and code. Some are ordinary, such as hash_conflict.',
        unit: 'cpm',
        queries: [
          {
            expr: perMinute('method, code', m('slack_errors_total')),
            legend: '{{method}} {{code}}',
          },
        ],
      },
      {
        title: 'Calls to Slack',
        description: '95 % are faster. They end after 5 s.',
        unit: 's',
        queries: [slowest('slack_call_seconds', 'method')],
      },
      {
        title: 'Silence',
        description: 'The time since the last delivery.',
        unit: 's',
        queries: [{ expr: `min(${m('slack_silent_seconds')})`, legend: 'since the last delivery' }],
      },
    ],
  },
  {
    title: 'Requests and jobs',
    kind: 'charts',
    panels: [
      {
        title: 'Requests by state',
        description: 'Without those that are done, or up to their authors.',
        unit: 'short',
        queries: [{ expr: `max by (state) (${m('requests')})`, legend: '{{state}}' }],
      },
      {
        title: 'Oldest request',
        description: 'waiting_for_key lasts until an admin connects a key.',
        unit: 's',
        queries: [
          { expr: `max by (state) (${m('requests_oldest_seconds')})`, legend: '{{state}}' },
        ],
      },
      {
        title: 'Cards created',
        description:
          'How the calls that create a card ended. After 5xx, network, or timed_out a request is in doubt.',
        unit: 'cpm',
        queries: [
          {
            expr: `${perMinute('outcome', `${m('service_answers_total')}{method="POST"}`)} > 0`,
            legend: '{{outcome}}',
          },
        ],
      },
      {
        title: 'Jobs that should run',
        description: 'By kind. Waiting until a later time doesn’t count.',
        unit: 'short',
        queries: [{ expr: `max by (kind) (${m('jobs_due')})`, legend: '{{kind}}' }],
      },
      {
        title: 'Oldest job that should run',
        description: 'By kind. Growing without end means that jobs don’t start.',
        unit: 's',
        queries: [{ expr: `max by (kind) (${m('jobs_oldest_due_seconds')})`, legend: '{{kind}}' }],
      },
      {
        title: 'Attempts at jobs',
        description: '“retried”: after an error. “failed”: not tried again.',
        unit: 'cpm',
        queries: [{ expr: perMinute('outcome', m('job_attempts_total')), legend: '{{outcome}}' }],
      },
    ],
  },
  {
    title: 'Design service',
    kind: 'charts',
    panels: [
      {
        title: 'Calls by who waits',
        description: 'shed: not made. refused: 429, so something else uses the key.',
        unit: 'cpm',
        queries: [
          {
            expr: `${perMinute('class, outcome', m('service_calls_total'))} > 0`,
            legend: '{{class}} {{outcome}}',
          },
        ],
      },
      {
        title: 'Answers',
        description: 'Calls that did not succeed, by how they ended.',
        unit: 'cpm',
        queries: [
          {
            expr: `${perMinute('outcome', `${m('service_answers_total')}{outcome!="2xx"}`)} > 0`,
            legend: '{{outcome}}',
          },
        ],
      },
      {
        title: 'Calls left',
        description: 'What each key used in the last minute may still make, by its fingerprint.',
        unit: 'short',
        queries: [{ expr: `min by (key) (${m('budget_left_calls')})`, legend: '{{key}}' }],
      },
      {
        title: 'Duration of calls',
        description: '95 % are faster. They end after 30 s.',
        unit: 's',
        queries: [slowest('service_call_seconds', 'operation')],
      },
      {
        title: 'Calls that wait',
        description: 'In memory, for the budget of their key.',
        unit: 'short',
        queries: [{ expr: `sum by (class) (${m('waiting_calls')})`, legend: '{{class}}' }],
      },
      {
        title: 'Answered by caches',
        description: 'The share of reads that needed no call.',
        unit: 'percentunit',
        queries: [
          {
            expr: `sum by (cache) (rate(${m('cache_answers_total')}{answer!="miss"}[$__rate_interval])) / sum by (cache) (rate(${m('cache_answers_total')}[$__rate_interval]))`,
            legend: '{{cache}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Database and process',
    kind: 'charts',
    panels: [
      {
        title: 'Database',
        description: '95 % of the steps are faster.',
        unit: 's',
        queries: [slowest('database_seconds', 'step')],
      },
      {
        title: 'Errors of the database',
        description: 'Any that last are an emergency: nothing can be stored.',
        unit: 'cpm',
        queries: [{ expr: perMinute('step', m('database_errors_total')), legend: '{{step}}' }],
      },
      {
        title: 'Event loop',
        description: '99 % of the delays are shorter. Long ones delay everything.',
        unit: 's',
        queries: [
          { expr: 'max by (instance) (nodejs_eventloop_lag_p99_seconds)', legend: '{{instance}}' },
        ],
      },
      {
        title: 'CPU',
        description: 'Cores in use. One is all that the event loop can use.',
        unit: 'percentunit',
        queries: [
          {
            expr: 'sum by (instance) (rate(process_cpu_seconds_total{job="design-request"}[$__rate_interval]))',
            legend: '{{instance}}',
          },
        ],
      },
      {
        title: 'Memory',
        description: 'Resident, by replica.',
        unit: 'bytes',
        queries: [
          {
            expr: 'max by (instance) (process_resident_memory_bytes{job="design-request"})',
            legend: '{{instance}}',
          },
        ],
      },
      {
        title: 'Running since',
        description: 'A saw-tooth is an app that keeps restarting.',
        unit: 's',
        queries: [
          {
            expr: 'time() - max by (instance) (process_start_time_seconds{job="design-request"})',
            legend: '{{instance}}',
          },
        ],
      },
    ],
  },
];
