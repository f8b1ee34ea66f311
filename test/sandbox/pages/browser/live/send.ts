import type { ActAnswer, ActResult } from '../../protocol/acts.ts';

/** Sends an action to the sandbox. Rejects with the sandbox's message if it can't be done. */
export async function send(
  page: string,
  body: unknown,
): Promise<{ revision: number; result: ActResult }> {
  const response = await fetch(`/act/${page}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error('The sandbox has ended. Start it again with npm run sandbox.');
  });
  const answer: ActAnswer = await response.json();
  if (answer.problem !== undefined) throw new Error(answer.problem);
  return answer;
}
