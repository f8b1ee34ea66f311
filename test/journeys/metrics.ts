export async function scrape({ url }: { url: string }) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const series = new Map(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => {
        const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
        return [keyOf(name, labels ? labels.split(',') : []), Number(value)];
      }),
  );
  return {
    /** The value of one series; undefined if there is none with exactly these labels. */
    value: (name: string, labels: Record<string, string> = {}) =>
      series.get(
        keyOf(
          `design_request_${name}`,
          Object.entries(labels).map(([label, value]) => `${label}="${value}"`),
        ),
      ),
    /** The names of all metrics, without the suffixes of histograms. */
    names: [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name),
    text,
  };
}

const keyOf = (name: string, labels: readonly string[]) => [name, ...labels.toSorted()].join();
