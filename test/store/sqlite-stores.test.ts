import { describe } from 'vitest';
import { describeEveryStore } from './every-store-suite.ts';
import { openSqliteStores } from './sqlite-files.ts';

describe('on SQLite', () => describeEveryStore(openSqliteStores));
