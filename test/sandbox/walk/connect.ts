import { PROJECT } from '../../../src/slack/words/connect.ts';
import { DEFAULT_PROJECT } from '../../stand-ins/design-service/cards.ts';
import { inMs } from '../terminal/times.ts';
import { viewAsLines } from '../terminal/view.ts';
import { mustBeAcknowledged, personIn, type Scene, shownAfter } from './scene.ts';

/** An admin connects the workspace's API key, which the app checks with the service. */
export async function connect(scene: Scene): Promise<void> {
  const { slack, service, ada, general, look, print, clock, timings } = scene;
  const me = personIn(scene, ada);
  const started = clock();
  print('Ada, an admin, types /design-request connect');
  const typed = mustBeAcknowledged(await me.command(general, 'connect'), 'the command');
  const { ms } = await shownAfter(scene, started, () => me.currentView(), 'the modal');
  const form = await slack.until(
    () => (me.sees().includes('API key') ? me.currentView() : undefined),
    'the field for the API key',
  );
  timings.push({
    what: '/design-request connect',
    acknowledgedMs: typed.ms,
    shownMs: ms,
    shownIsLimited: true,
  });
  print(
    `Acknowledged in ${inMs(typed.ms)}, modal opened after ${inMs(ms)}. Slack allows 3 s each.`,
  );
  print(viewAsLines(form, look));

  print('She pastes the API key and the project, and presses Connect. The app checks both');
  print('with the service, and stores the key encrypted.');
  await me.fill({ 'API key': service.apiKey, [PROJECT.label]: DEFAULT_PROJECT });
  const pressed = clock();
  const { told } = await me.submit();
  const { ms: acknowledgedMs } = mustBeAcknowledged(told, 'the key');
  const answer = await shownAfter(
    scene,
    pressed,
    () => /Connected|:warning:|Only workspace admins/.test(me.sees()) && me.currentView(),
    'the answer to the key',
  );
  timings.push({
    what: 'Connect',
    acknowledgedMs,
    shownMs: answer.ms,
    shownIsLimited: false,
  });
  print(viewAsLines(answer.value, look));
  if (!me.sees().includes('Connected')) throw new Error('The key was not accepted.');
  await me.close();
}
