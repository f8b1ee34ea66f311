/** The kinds of jobs that Slack's side of the app runs, as stored in the job table. */
export const SLACK_JOBS = {
  event: 'slack-event',
  completeForm: 'complete-form',
  keyRejected: 'key-rejected',
  greetInstaller: 'greet-installer',
  lostFile: 'file-lost',
  /** Ends a workflow step's run whose event could not be handled. */
  stepFailed: 'step-failed',
  /** Ends a workflow step's run whose request is still open when the step has waited long enough. */
  stepLimit: 'step-limit',
} as const;
