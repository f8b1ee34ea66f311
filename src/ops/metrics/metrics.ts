import { register as ofProcess, Registry } from 'prom-client';
import { createServiceMetrics, createSlackMetrics } from './call-metrics.ts';
import { createDatabaseMetrics, createWorkMetrics } from './database-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Prometheus metrics, described in docs/metrics.md. No label names a workspace, a person, or a card; keys have their
 * fingerprint.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    ...createWorkMetrics(registers),
    ...createSlackMetrics(registers),
    ...createServiceMetrics(registers),
    ...createDatabaseMetrics(registers),
    /** Everything, and what the process collects about itself, in Prometheus' text format. */
    text: () => Registry.merge([registry, ofProcess]).metrics(),
    /** The HTTP content type of `text`. */
    contentType: registry.contentType,
  };
}
