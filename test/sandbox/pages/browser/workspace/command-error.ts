/** Slackbot's message for a command that failed; the wording is Slack's. */
export function wordsForCommandError(command: string, error: string): string {
  return `${command} failed with the error “${error}”`;
}
