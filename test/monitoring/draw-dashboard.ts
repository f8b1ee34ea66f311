import { type PanelSpec, ROWS } from './panels.ts';
import type { Series } from './prometheus.ts';

/** The series of a panel, with the text of its legend. */
export type Drawn = { legend: string; values: Series['values'] };

const WIDTH = 500;
const HEIGHT = 170;
const LEFT = 56;
const BOTTOM = 18;
const TICKS = 4;
const MOST_IN_LEGEND = 8;
const LONGEST_STEP_S = 3;
const COLORS = [
  ...['#3274d9', '#e0752d', '#37872d', '#c4162a', '#8f3bb8', '#b5a300'],
  ...['#0aa', '#705da0', '#967302', '#447ebc', '#888', '#e24d8a'],
];
const STYLE = `
  body { margin: 16px; width: 1600px; font: 13px sans-serif; color: #24292e; background: #f4f5f5; }
  h2 { margin: 16px 0 8px; font-size: 15px; }
  .row { display: grid; gap: 8px; }
  .numbers { grid-template-columns: repeat(6, minmax(0, 1fr)); }
  .charts { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  section { padding: 8px 12px; background: #fff; border: 1px solid #dcdcdc; border-radius: 3px; }
  h3 { margin: 0 0 6px; font-size: 13px; }
  .number { font-size: 34px; text-align: center; }
  .legend { line-height: 1.5; font-size: 11px; }
  .legend span { display: inline-block; margin-right: 10px; }
  text { font-size: 11px; fill: #666; }`;

/** The dashboard as a page: a plain stand-in for Grafana, with the same rows, queries, and limits. */
export const drawDashboard = (
  seriesOf: (panel: PanelSpec) => Drawn[],
  range: { from: number; to: number },
): string => `<!doctype html><meta charset="utf-8"><style>${STYLE}</style>
  ${ROWS.map(
    ({ title, kind, panels }) =>
      `<h2>${escaped(title)}</h2><div class="row ${kind}">${panels
        .map((panel) => {
          const series = seriesOf(panel);
          const content = kind === 'numbers' ? number(panel, series) : chart(panel, series, range);
          return `<section><h3>${escaped(panel.title)}</h3>${content}</section>`;
        })
        .join('')}</div>`,
  ).join('')}`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function number({ unit, limit }: PanelSpec, series: Drawn[]): string {
  const value = Number(series[0]?.values.at(-1)?.[1]);
  const color = limit !== undefined && value >= limit ? '#c4162a' : '#37872d';
  return `<div class="number" style="color: ${color}">${inUnit(value, unit)}</div>`;
}

function chart(
  { unit, limit }: PanelSpec,
  series: Drawn[],
  { from, to }: { from: number; to: number },
): string {
  const points = series.map(({ values }) =>
    values
      .map(([at, value]) => ({ at, value: Number(value) }))
      .filter(({ value }) => Number.isFinite(value)),
  );
  const top = roundUp(Math.max(0, ...points.flat().map(({ value }) => value)));
  const x = (at: number) => LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - 8);
  const grid = Array.from({ length: TICKS + 1 }, (_, tick) => (top * tick) / TICKS)
    .map(
      (
        value,
      ) => `<line x1="${LEFT}" x2="${WIDTH}" y1="${y(value)}" y2="${y(value)}" stroke="#e4e4e4"/>
        <text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${inUnit(value, unit)}</text>`,
    )
    .join('');
  const minutes = Array.from({ length: Math.floor((to - from) / 60) + 1 }, (_, minute) => minute)
    .map((minute) => `<text x="${x(from + 60 * minute)}" y="${HEIGHT - 3}">${minute}′</text>`)
    .join('');
  const lines = points
    .flatMap((line, index) => withoutGaps(line).map((part) => ({ part, color: colorOf(index) })))
    .map(({ part, color }) => {
      const path = part.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
      return `<polyline points="${path.join(' ')}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linecap="round"/>`;
    })
    .join('');
  const isLimitShown = limit !== undefined && limit <= top;
  const red = isLimitShown
    ? `<line x1="${LEFT}" x2="${WIDTH}" y1="${y(limit)}" y2="${y(limit)}" stroke="#c4162a" stroke-dasharray="4 3"/>`
    : '';
  const legend = series
    .slice(0, MOST_IN_LEGEND)
    .map(
      ({ legend: text }, index) =>
        `<span style="color: ${colorOf(index)}">▬ ${escaped(text)}</span>`,
    )
    .join('');
  const nothing = series.length === 0 ? `<text x="${WIDTH / 2}" y="80">No data</text>` : '';
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}">${grid}${minutes}${lines}${red}${nothing}</svg>
    <div class="legend">${legend}</div>`;
}

const colorOf = (index: number) => COLORS[index % COLORS.length] ?? '#888';

type Point = { at: number; value: number };

/** The parts of a line between which nothing was measured. */
function withoutGaps(line: Point[]): Point[][] {
  const parts: Point[][] = [];
  for (const point of line) {
    const part = parts.at(-1);
    const last = part?.at(-1);
    if (part && last && point.at - last.at <= LONGEST_STEP_S) part.push(point);
    else parts.push([point]);
  }
  // A line of one point would not be visible.
  return parts.map((part) => (part.length === 1 ? [...part, ...part] : part));
}

/** The next number whose quarters are short. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 4, 8].find((digit) => digit * power >= value) ?? 10);
}

function inUnit(value: number, unit: PanelSpec['unit']): string {
  const short = (amount: number) => String(Number(amount.toPrecision(3)));
  if (!Number.isFinite(value)) return '–';
  if (unit === 'percentunit') return `${short(100 * value)} %`;
  if (unit === 'bytes') return `${short(value / 2 ** 20)} MiB`;
  if (unit === 'cpm') return `${short(value)}/min`;
  if (unit === 'short') return short(value);
  if (value !== 0 && value < 1) return `${short(1_000 * value)} ms`;
  return value < 120 ? `${short(value)} s` : `${short(value / 60)} min`;
}
