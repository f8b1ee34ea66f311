// Runs before every npm script, on whichever Node npm finds, so it uses only syntax that Node 12 understands.
//   --tools   also checks that npm has installed what tests and builds need
//   --newest  prints the path of the newest Node: in PATH, or the one that npm has installed for these scripts

const { execFileSync } = require('child_process');
const { existsSync, readdirSync } = require('fs');
const { delimiter, join } = require('path');

const NEEDED = require('../../package.json').engines.node.replace('>=', '');
const FOUND = process.versions.node;
const FIX = 'npm ci --include=dev --include=optional --ignore-scripts=false';
const MODULES = join(process.cwd(), 'node_modules');
const [option] = process.argv.slice(2);

const problem = (option === '--tools' && missingTools()) || (isOlder(FOUND, NEEDED) && oldNode());
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
if (option === '--newest') process.stdout.write(newestNode());

function oldNode() {
  return `Design Request needs Node ${NEEDED} or later, and this is ${FOUND}. Run \`${FIX}\`, which installs one for these scripts, or install it from https://nodejs.org.`;
}

function missingTools() {
  if (!existsSync(join(MODULES, 'vite'))) {
    return `This needs the dev dependencies, which npm leaves out with --omit=dev or NODE_ENV=production. Run \`${FIX}\`.`;
  }
  if (!readdirSync(join(MODULES, '@rolldown')).some((name) => name.startsWith('binding-'))) {
    const agent = /node\/v(\S+)/.exec(process.env.npm_config_user_agent || '') || [];
    return `npm has left out a part of the build tools, as it does on Node before 20.19 or 22.12 (now it is ${agent[1] || 'unknown'}), or with --omit=optional. Install a newer Node from https://nodejs.org, then run \`${FIX}\`.`;
  }
  return undefined;
}

function newestNode() {
  const folders = process.env.PATH.split(delimiter);
  const own = folders.filter((folder) => !/node_modules.\.bin$/.test(folder));
  const node = own.map((folder) => join(folder, 'node')).find((file) => existsSync(file));
  if (node === undefined) return process.execPath;
  try {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
    return isOlder(version, FOUND) ? process.execPath : node;
  } catch (_error) {
    return process.execPath;
  }
}

function isOlder(version, other) {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}
