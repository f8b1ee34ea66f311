import { styleText } from 'node:util';
import { chooseType, connect, openForm, refresh, send, shareLink, showCard } from './request.ts';
import { inMs, type Scene } from './scene.ts';

/** Does the main job once and prints every step. Returns the new card's ID; Throws if a step fails, with its title. */
export async function walk(scene: Scene): Promise<string> {
  const started = performance.now();
  let steps = 0;
  async function step<Result>(title: string, run: () => Promise<Result>): Promise<Result> {
    steps += 1;
    scene.print(['', styleText('bold', `${steps}. ${title}`)]);
    return run().catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`“${steps}. ${title}” failed: ${why}`, { cause });
    });
  }

  await step('The design service is connected', () => connect(scene));
  await step('The form opens', () => openForm(scene));
  await step('A request type is chosen', () => chooseType(scene));
  const cardId = await step('The request is sent', () => send(scene));
  await step('The card at the design service', () => showCard(scene, cardId));
  const message = await step('The card’s link unfurls', () => shareLink(scene, cardId));
  await step('The card’s status changes', () => refresh(scene, message, cardId));

  scene.print(['', styleText('bold', `Done in ${inMs(performance.now() - started)}`)]);
  return cardId;
}
