import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { manifestSettingsFromEnvironment } from '../config/config.ts';
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

function readArguments(): { socket: boolean; many: boolean } {
  try {
    const flag = { type: 'boolean', default: false } as const;
    return parseArgs({ options: { socket: flag, many: flag } }).values;
  } catch {
    return exitWithUsage('npm run manifest [-- --socket --many]');
  }
}
