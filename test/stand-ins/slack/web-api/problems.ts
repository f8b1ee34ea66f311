import type { BlockKitProblem } from '../block-kit/validate.ts';
import { refuse } from '../refusal.ts';

/** Refuses with the problems reported twice, as Slack does: `errors`, and messages with [ERROR]. */
export function refuseProblems(code: string, problems: BlockKitProblem[]): void {
  if (problems.length === 0) return;
  const said = problems.map(({ message, pointer }) => `${message} [json-pointer:${pointer}]`);
  refuse(code, said, { errors: said });
}
