import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ConfigError, manifestSettingsFromEnvironment } from '../config/config.ts';
import { creationLink, fillManifest, ManifestError } from './manifest/fill-manifest.ts';

const TEMPLATE = new URL('../../manifest.yml', import.meta.url);
const REFUSED_ARGUMENTS = 2;

// The manifest alone goes to standard output, so that it can be put into a file.
try {
  const settings = manifestSettingsFromEnvironment(readArguments());
  const manifest = fillManifest(await readFile(TEMPLATE, 'utf8'), settings);
  process.stdout.write(manifest);
  process.stderr.write(`
Open this to create the app at Slack from the manifest above:

${creationLink(manifest)}

Of an app that exists, replace its manifest: api.slack.com/apps → your app → App Manifest.
`);
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof ManifestError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function readArguments(): { socket: boolean; many: boolean } {
  try {
    const flag = { type: 'boolean', default: false } as const;
    return parseArgs({ options: { socket: flag, many: flag } }).values;
  } catch {
    process.stderr.write('Usage: npm run manifest [-- --socket --many]\n');
    process.exit(REFUSED_ARGUMENTS);
  }
}
