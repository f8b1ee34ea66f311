import { environmentVariables } from '../config/config.ts';
import { type ManifestOptions, parseManifestSettings } from '../config/manifest-settings.ts';
import { creationLink, fillManifest, readManifest } from './manifest/fill-manifest.ts';

/** Only the manifest goes to standard output, so that it can be redirected to a file. */
export async function printManifest({
  'workflow-step': workflowStep,
  ...options
}: Omit<ManifestOptions, 'workflowStep'> & { 'workflow-step': boolean }): Promise<void> {
  const settings = parseManifestSettings(environmentVariables(), { ...options, workflowStep });
  const manifest = fillManifest(readManifest(), settings);
  process.stdout.write(manifest);
  process.stderr.write(`
To create a Slack app from the manifest above, open:

${creationLink(manifest)}

To update an app that exists, replace its manifest: api.slack.com/apps → your app → App Manifest.
`);
}
