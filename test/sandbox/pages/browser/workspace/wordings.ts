/** What Slackbot says of a command that failed; the words are Slack's. */
export function wordsForCommandError(command: string, error: string): string {
  return `${command} failed with the error “${error}”`;
}
