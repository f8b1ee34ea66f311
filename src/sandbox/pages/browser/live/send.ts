/** Sends an act to the sandbox. Rejects with its words where it can't be done. */
export async function send<Answer>(page: string, body: unknown): Promise<Answer> {
  const response = await fetch(`/act/${page}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error('The sandbox has ended. Start it again with npm run sandbox.');
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.problem);
  return answer;
}
