/** The kinds of jobs of everything around Slack, as stored in the job table. */
export const SLACK_JOBS = {
  event: 'slack-event',
  completeForm: 'complete-form',
  keyRejected: 'key-rejected',
  greetInstaller: 'greet-installer',
  lostFile: 'file-lost',
  /** Ends a run of the workflow step whose event could not be handled. */
  stepFailed: 'step-failed',
  /** Ends the run of a request that still waits when the time is over. */
  stepLimit: 'step-limit',
} as const;
