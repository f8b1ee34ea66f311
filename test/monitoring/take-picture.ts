import { fileURLToPath } from 'node:url';
import { startChromium } from '../browser/chromium.ts';
import { BUSY_SECONDS, spendBusyMinutes } from './busy-minutes.ts';
import { type Drawn, drawDashboard } from './draw-dashboard.ts';
import { startMonitoredApp } from './monitored-app.ts';
import { type PanelSpec, ROWS } from './panels.ts';
import { type Prometheus, withInterval } from './prometheus.ts';

const FILE = fileURLToPath(new URL('../../docs/pictures/metrics.png', import.meta.url));
const SCRAPE_SECONDS = 2;
const RATE_SECONDS = 20;

/** Draws what Prometheus answers to each query of the dashboard after five busy minutes. */
export async function takePicture(): Promise<void> {
  const { stage, prometheus, close } = await startMonitoredApp({ scrapeSeconds: SCRAPE_SECONDS });
  try {
    await spendBusyMinutes(stage);
    const to = Date.now() / 1_000;
    const range = { from: to - BUSY_SECONDS, to };
    const drawn = new Map<PanelSpec, Drawn[]>();
    for (const panel of ROWS.flatMap(({ panels }) => panels)) {
      drawn.set(panel, await read(prometheus, panel, range));
    }
    await screenshot(drawDashboard((panel) => drawn.get(panel) ?? [], range));
    process.stdout.write(`${FILE}\n`);
  } finally {
    await close();
  }
}

async function read(
  prometheus: Prometheus,
  { queries }: PanelSpec,
  range: { from: number; to: number },
): Promise<Drawn[]> {
  const answers = queries.map(async ({ expr, legend }) => {
    const query = withInterval(expr, RATE_SECONDS);
    const series = await prometheus.queryRange(query, { ...range, stepSeconds: SCRAPE_SECONDS });
    return series.map(({ metric, values }) => ({
      legend: legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ''),
      values,
    }));
  });
  return (await Promise.all(answers)).flat();
}

async function screenshot(html: string): Promise<void> {
  const browser = await startChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1_632, height: 1_000 } });
    await page.setContent(html);
    await page.screenshot({ path: FILE, fullPage: true });
  } finally {
    await browser.close();
  }
}
