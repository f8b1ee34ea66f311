import { PROJECT } from '../../../src/slack/words/connect.ts';
import { DEFAULT_PROJECT } from '../../stand-ins/design-service/cards.ts';
import { inMs, mustBeAcknowledged, personIn, type Scene, shownAfter } from './scene.ts';
import { viewAsLines } from './shown.ts';

/** An admin connects the workspace's API key, which the app checks with the service. */
export async function connect(scene: Scene): Promise<void> {
  const { slack, service, ada, general, nameOf, print } = scene;
  const me = personIn(scene, ada);
  const started = performance.now();
  print('Ada, an admin, types /design-request connect');
  const typed = mustBeAcknowledged(await me.command(general, 'connect'), 'the command');
  const { ms } = await shownAfter(scene, started, () => me.currentView(), 'the modal');
  const form = await slack.until(
    () => (me.sees().includes('API key') ? me.currentView() : undefined),
    'the field for the API key',
  );
  print(
    `Acknowledged in ${inMs(typed.ms)}, modal opened after ${inMs(ms)}. Slack allows 3 s each.`,
  );
  print(viewAsLines(form, nameOf));

  print('She pastes the API key and the project, and presses Connect. The app checks both');
  print('with the service, and stores the key encrypted.');
  await me.fill({ 'API key': service.apiKey, [PROJECT.label]: DEFAULT_PROJECT });
  const pressed = performance.now();
  const { told } = await me.submit();
  mustBeAcknowledged(told, 'the key');
  const answer = await shownAfter(
    scene,
    pressed,
    () => /Connected|:warning:|Only workspace admins/.test(me.sees()) && me.currentView(),
    'the answer to the key',
  );
  print(viewAsLines(answer.value, nameOf));
  if (!me.sees().includes('Connected')) throw new Error('The key was not accepted.');
  await me.close();
}
