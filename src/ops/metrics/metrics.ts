import { register as ofProcess, Registry } from 'prom-client';
import { createDatabaseMetrics, type DatabaseMetrics } from './database-metrics.ts';
import { createServiceMetrics, type ServiceMetrics } from './service-metrics.ts';
import { createSlackMetrics, type SlackMetrics } from './slack-metrics.ts';
import { createWorkMetrics, type WorkMetrics } from './work-metrics.ts';

/**
 * Prometheus metrics, described in docs/metrics.md. No label names a workspace, a person, or a card; keys have their
 * fingerprint.
 */
export type Metrics = ServiceMetrics &
  SlackMetrics &
  WorkMetrics &
  DatabaseMetrics & {
    /** Everything, and what the process collects about itself, in Prometheus' text format. */
    text(): Promise<string>;
    /** The HTTP content type of `text`. */
    contentType: string;
  };

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    ...createWorkMetrics(registers),
    ...createSlackMetrics(registers),
    ...createServiceMetrics(registers),
    ...createDatabaseMetrics(registers),
    text: () => Registry.merge([registry, ofProcess]).metrics(),
    contentType: registry.contentType,
  };
}
