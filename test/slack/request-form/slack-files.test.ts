import { expect, it } from 'vitest';
import { problemOfKind } from '../../../src/slack/request-form/slack-files.ts';

it.each([
  [{ mode: 'hosted' }, undefined],
  // Slack says more only when asked.
  [{ mode: 'file_access' }, undefined],
  [{}, undefined],
  [{ mode: 'external' }, 'external'],
  [{ mode: 'hosted', is_external: true }, 'external'],
  [{ mode: 'canvas' }, 'page'],
  [{ mode: 'hosted', mimetype: 'application/vnd.slack-docs' }, 'page'],
  [{ mode: 'tombstone' }, 'deleted'],
  [{ mode: 'hidden_by_limit' }, 'forbidden'],
])('of a file with %j, %s keeps it from being passed on', (file, problem) => {
  expect(problemOfKind(file)).toBe(problem);
});
