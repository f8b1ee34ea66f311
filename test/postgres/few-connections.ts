import type { WrapDialect } from '../../src/store/database.ts';

/** The app opens up to twelve at once when it starts, and each takes Postgres 40 ms of processor time. */
const CONNECTIONS = 3;

/** For an app that runs for one test only. */
export const withFewConnections: WrapDialect = (dialect) => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver() {
    const driver = dialect.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    const release = driver.releaseConnection.bind(driver);
    let free = CONNECTIONS;
    const waiting: (() => void)[] = [];
    const giveBack = () => {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
    return Object.assign(driver, {
      async acquireConnection() {
        if (free > 0) free -= 1;
        else await new Promise<void>((resolve) => waiting.push(resolve));
        return acquire().catch((error: unknown) => {
          giveBack();
          throw error;
        });
      },
      releaseConnection: (connection: Awaited<ReturnType<typeof acquire>>) =>
        release(connection).finally(giveBack),
    });
  },
});
