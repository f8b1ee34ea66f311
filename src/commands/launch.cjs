// Decides which Node runs a program of this project:
//   node launch.cjs [--tools | --settings] [options of Node] FILE [its arguments]
//   --tools     for tests and builds: checks that npm has installed what they need, and keeps to the Node of npm
//   --settings  reads .env if there is one. Node's own option for that would print a line, twice, if there is none
// Without --tools, the newer one of npm's Node and the one in PATH runs it. Without FILE, it only
// checks. It runs on whichever Node npm finds, so it uses only syntax that Node 12 understands.

const { execFileSync } = require('child_process');
const { existsSync, readdirSync } = require('fs');
const { delimiter, join } = require('path');

const NEEDED = require('../../package.json').engines.node.replace('>=', '');
const FOUND = process.versions.node;
const FIX = 'npm ci --include=dev --include=optional --ignore-scripts=false';
const MODULES = join(process.cwd(), 'node_modules');
const isTool = process.argv[2] === '--tools';
const readsSettings = process.argv[2] === '--settings';
const args = process.argv.slice(isTool || readsSettings ? 3 : 2);
if (readsSettings && existsSync('.env')) args.unshift('--env-file-if-exists=.env');

const problem = (isTool && missingTools()) || (isOlder(FOUND, NEEDED) && oldNode());
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
if (args.length > 0) {
  const node = isTool ? process.execPath : newestNode();
  // The program takes the place of this process, and so gets its signals.
  process.execve(node, [node].concat(args), process.env);
}

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
  const folders = (process.env.PATH || '').split(delimiter);
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
