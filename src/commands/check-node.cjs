// Runs before every npm script, on whichever Node npm finds, so it uses only syntax that Node 12 understands.

const NEEDED = require('../../package.json').engines.node.replace('>=', '');
const FOUND = process.versions.node;

if (isOlder(FOUND.split('.'), NEEDED.split('.'))) {
  process.stderr.write(
    `Design Request needs Node ${NEEDED} or later, and this is ${FOUND}. Run \`npm ci\` without --ignore-scripts, which installs the right one for these scripts, or install it from https://nodejs.org.\n`,
  );
  process.exit(1);
}

function isOlder(found, needed) {
  const part = needed.findIndex((number, index) => Number(found[index]) !== Number(number));
  return part >= 0 && Number(found[part]) < Number(needed[part]);
}
