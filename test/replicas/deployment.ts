import { AsyncLocalStorage } from 'node:async_hooks';

/** How many replicas run, and on which Postgres. */
export type Deployment = {
  /** `postgres://…` without a database name. */
  postgres: string;
  replicas: number;
};

const current = new AsyncLocalStorage<Deployment>();

/** Faults in `run` use that many replicas on Postgres instead of one process on SQLite. */
export const onReplicas = <Result>(deployment: Deployment, run: () => Promise<Result>) =>
  current.run(deployment, run);

export const currentDeployment = (): Deployment | undefined => current.getStore();
