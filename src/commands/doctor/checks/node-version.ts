import { type Check, failed, passed } from '../check.ts';

/** The same as `engines` in package.json, which a bundle doesn't include; a test compares them. */
export const OLDEST_NODE = '24.15.0';

export const nodeVersion: Check = {
  name: 'node-version',
  category: 'runtime',
  about: `Node is ${OLDEST_NODE} or later.`,
  needs: 'nothing',
  run() {
    const { node } = process.versions;
    if (node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0) return passed(node);
    return failed(
      `This is Node ${node}, and the app needs ${OLDEST_NODE}.`,
      'Install it from https://nodejs.org, or run `npm ci` without --ignore-scripts.',
    );
  },
};
