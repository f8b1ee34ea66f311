import { expect, it } from 'vitest';
import { answering } from '../commands/doctor/examined.ts';
import { openForm } from './form.ts';
import { startWorld } from './world.ts';

it.each([
  [
    302,
    { location: 'https://login.example.com/start?key=secret-key-1' },
    'HTTP 302, which leads to https://login.example.com/start',
  ],
  [
    301,
    { location: 'https://user:word@www.example.com/v1/card-types' },
    'HTTP 301, which leads to https://www.example.com/v1/card-types',
  ],
  [307, { location: '/sign-in' }, 'HTTP 307, which leads to /sign-in'],
  [303, {}, 'HTTP 303'],
  [200, { 'content-type': 'text/html; charset=utf-8' }, 'HTTP 200 with a web page'],
  [403, { 'content-type': 'text/html' }, 'HTTP 403 with a web page'],
])(
  'a wrong base URL that answers %i is named in the log with what it leads to',
  async (status, headers, answer) => {
    const port = await answering(status, headers);
    const world = await startWorld({
      connected: false,
      env: { DESIGN_API_BASE_URL: `http://127.0.0.1:${port}`, DESIGN_API_KEY: 'secret-key-1' },
    });
    await openForm(world, world.acme.as(world.ann)).catch(() => undefined);
    const warnings = () =>
      world.logLines
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg.includes('DESIGN_API_BASE_URL is not the design service'));
    await expect.poll(warnings).toMatchObject([{ level: 'warn', answer }]);
    expect(world.logLines.join()).not.toMatch(/secret-key-1|word@/);
  },
);
