import { expect, it } from 'vitest';
import { slackFetch } from '../../src/slack/slack-fetch.ts';

it('refuses to upload a file, before anything is sent', () => {
  const upload = () => slackFetch('http://127.0.0.1:1/', { method: 'POST', body: new FormData() });
  expect(upload).toThrow('Files are not uploaded.');
});
