import packageJson from '../package.json' with { type: 'json' };

/** Of this release; docs/CHANGELOG.md says what it changed. */
export const VERSION: string = packageJson.version;

export const OLDEST_NODE = packageJson.engines.node.replace('>=', '');
