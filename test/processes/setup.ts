import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { openStage } from '../sandbox/stage.ts';
import { type NpmRun, projectWith, runNpm } from './npm.ts';

const ENTER = '\r';

/** A clone of this project, and a person who sets the app up; no workspace has it yet, and nothing is set. */
export async function settingUp() {
  const stage = await openStage({ many: true });
  onTestFinished(() => stage.close());
  const names = ['package.json', 'package-lock.json', 'src', 'dist', 'node_modules'];
  const cwd = await projectWith(...names, 'manifest.yml', '.env.example');
  const ownSlack = { SLACK_API_URL: stage.slack.apiUrl };
  return {
    stage,
    cwd,
    written: () => parseEnv(readFileSync(join(cwd, '.env'), 'utf8')),
    setupByNpm: () => inConversation(runNpm(['run', 'app', '--', 'setup'], { cwd, env: ownSlack })),
    /** Runs the same as in a deployment, which is faster, with these arguments and variables. */
    setup: (args: string[] = [], env: Record<string, string> = {}) =>
      inConversation(
        runNpm(['--env-file-if-exists=.env', 'dist/app.js', 'setup', ...args], {
          cwd,
          program: process.execPath,
          env: { ...ownSlack, ...env },
        }),
      ),
  };
}

function inConversation(run: NpmRun) {
  let seen = 0;
  return {
    ...run,
    /** Everything on the screen so far, as plain text. */
    screen: () => stripVTControlCharacters(run.output()),
    /** Waits for a question, or another text that comes after what was answered last. */
    sees: (text: RegExp) => run.until(text, seen),
    answers(text: string) {
      seen = run.output().length;
      run.write(text + ENTER);
    },
  };
}
