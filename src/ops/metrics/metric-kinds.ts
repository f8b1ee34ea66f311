import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type MetricKinds = ReturnType<typeof metricKinds>;

export function metricKinds(registry: Registry) {
  const registers = [registry];
  const readers: (() => void | Promise<void>)[] = [];
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    /** @param buckets in seconds */
    histogram: <Label extends string>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: Label[] = [],
    ) => new Histogram({ name, help, buckets, labelNames, registers }),
    atScrape: (reader: () => void | Promise<void>) => void readers.push(reader),
    read: () => Promise.all(readers.map((reader) => reader())),
  };
}
