import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ManifestOptions, manifestSettingsFromEnvironment } from '../config/config.ts';
import { creationLink, fillManifest } from './manifest/fill-manifest.ts';
import { exitWithUsage, runCommand } from './run-command.ts';

const TEMPLATE = new URL('../../manifest.yml', import.meta.url);

// Only the manifest goes to standard output, so that it can be redirected to a file.
await runCommand(async () => {
  const settings = manifestSettingsFromEnvironment(readArguments());
  const manifest = fillManifest(await readFile(TEMPLATE, 'utf8'), settings);
  process.stdout.write(manifest);
  process.stderr.write(`
To create a Slack app from the manifest above, open:

${creationLink(manifest)}

To update an app that exists, replace its manifest: api.slack.com/apps → your app → App Manifest.
`);
});

function readArguments(): ManifestOptions {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const options = { socket: flag, many: flag, 'workflow-step': flag };
    const { 'workflow-step': workflowStep, ...others } = parseArgs({ options }).values;
    return { ...others, workflowStep };
  } catch {
    return exitWithUsage('npm run manifest [-- --socket --many --workflow-step]');
  }
}
