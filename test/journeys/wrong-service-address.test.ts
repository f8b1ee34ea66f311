import { expect, it } from 'vitest';
import { answering } from '../commands/doctor/examined.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { answerTo } from './links.ts';
import { startWorld } from './world.ts';

const PAGE = { 'content-type': 'text/html; charset=utf-8' };
const NOT_FOUND =
  '{"status":false,"message":"Cannot GET /card-types","error":"Not Found","statusCode":404}';

it.each([
  [
    302,
    { location: 'https://login.example.com/start?key=secret-key-1' },
    'hello',
    'HTTP 302, which leads to https://login.example.com/start',
  ],
  [
    301,
    { location: 'https://user:word@www.example.com/v1/card-types' },
    'hello',
    'HTTP 301, which leads to https://www.example.com/v1/card-types',
  ],
  [200, PAGE, 'hello', 'HTTP 200 with a web page'],
  [401, {}, '{"ok":false,"error":"not_authed"}', 'HTTP 401 with other JSON'],
  [404, {}, NOT_FOUND, 'HTTP 404'],
  [410, {}, '', 'HTTP 410 without JSON'],
])(
  'a wrong base URL that answers %i is named in the log with what it leads to',
  async (status, headers, body, answer) => {
    const port = await answering(status, headers, body);
    const world = await startWorld({
      connected: false,
      env: { DESIGN_API_BASE_URL: `http://127.0.0.1:${port}`, DESIGN_API_KEY: 'secret-key-1' },
    });
    // Its form stays without lists.
    await world.acme.as(world.ann).command(world.general);
    const warnings = () =>
      world.logLines
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg.includes('DESIGN_API_BASE_URL is not the design service'));
    await expect.poll(warnings).toMatchObject([{ level: 'warn', answer }]);
    expect(world.logLines.join()).not.toMatch(/secret-key-1|word@/);
  },
);

it.each([401, 403, 404, 422])(
  'while a page with %i takes the service’s place, the key stays as it is',
  async (status) => {
    const { world, acme, admin, service, me } = await startWorld();
    const { id } = service.cards.add({ title: 'Spring banner' });
    const removePage = service.faults.add({ kind: 'status', status, body: 'html' });
    const ask = async () => textOfMessage(await answerTo(world, me, `status ${id}`));
    expect(await ask()).toContain('sent an answer that we can’t read');
    removePage();
    expect(await ask()).toContain('Spring banner');
    expect(acme.directMessages(admin)).toEqual([]);
  },
);
