import { readFile } from 'node:fs/promises';
import { environmentVariables } from '../config/config.ts';
import { parseManifestSettings } from '../config/manifest-settings.ts';
import { creationLink, fillManifest } from './manifest/fill-manifest.ts';
import { readArguments, runCommand } from './run-command.ts';

const TEMPLATE = new URL('../../manifest.yml', import.meta.url);

// Only the manifest goes to standard output, so that it can be redirected to a file.
const USAGE = `npm run manifest [-- --socket --many --workflow-step]

Prints the Slack app's manifest with your settings filled in, and a link that creates the app from it.

  --socket          for Socket Mode, even without SLACK_APP_TOKEN
  --many            for many workspaces, even without the OAuth settings
  --workflow-step   with the step in Workflow Builder`;

const flag = { type: 'boolean', default: false } as const;
const { values: options } = readArguments(USAGE, {
  socket: flag,
  many: flag,
  'workflow-step': flag,
});
await runCommand(async () => {
  const { 'workflow-step': workflowStep, ...others } = options;
  const settings = parseManifestSettings(environmentVariables(), { ...others, workflowStep });
  const manifest = fillManifest(await readFile(TEMPLATE, 'utf8'), settings);
  process.stdout.write(manifest);
  process.stderr.write(`
To create a Slack app from the manifest above, open:

${creationLink(manifest)}

To update an app that exists, replace its manifest: api.slack.com/apps → your app → App Manifest.
`);
});
