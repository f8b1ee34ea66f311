import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('..', import.meta.url);

/** The entry file that deployments run. */
export const MAIN_ENTRY = fileURLToPath(new URL('dist/main.js', ROOT));

/** Builds dist/ if src/ has changed since, so that processes under test run what a deployment runs. */
export default function buildIfStale(): void {
  const build = fileURLToPath(new URL('src/commands/build.ts', ROOT));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
}
