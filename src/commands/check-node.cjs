// Runs before every npm script, on whatever Node npm finds. A Node that is too old for the rest must be able to
// read this file, so it uses nothing newer than Node 12.

const NEEDED = require('../../package.json').engines.node.replace('>=', '');
const FOUND = process.versions.node;

if (isOlder(FOUND.split('.'), NEEDED.split('.'))) {
  process.stderr.write(
    `Design Request needs Node ${NEEDED} or later and this is ${FOUND}: run \`npm ci\` without --ignore-scripts, which installs it for these scripts, or install it from https://nodejs.org.\n`,
  );
  process.exit(1);
}

function isOlder(found, needed) {
  const part = needed.findIndex((number, index) => Number(found[index]) !== Number(number));
  return part >= 0 && Number(found[part]) < Number(needed[part]);
}
