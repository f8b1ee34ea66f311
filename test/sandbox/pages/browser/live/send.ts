import type { ActAnswer, ActResult, Uploaded } from '../../protocol/acts.ts';

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

/** Uploads a file to the sandbox, as the person with that ID. */
export async function upload(as: string, file: File): Promise<Uploaded> {
  const query = new URLSearchParams({ as, name: file.name, type: file.type });
  const response = await fetch(`/upload?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  });
  if (!response.ok) throw new Error('The file could not be uploaded to the sandbox.');
  return response.json();
}
