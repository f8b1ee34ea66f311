import { holds, type Measured } from '../row.ts';
import { figureAsText, targetAsText } from '../words.ts';
import type { Shown } from './page.ts';

/** All in the chart's own pixels. */
const WIDTH = 760;
const LINE = 58;
const TOP = 52;
const BAR = 14;
/** Where every bar's target is: bars are drawn in proportion to it. */
const TARGET_AT = 420;
const LONGEST = WIDTH - 20;

// An image on a page knows only the reader's system theme, not the page, so it has both color schemes.
const STYLE = `<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 12px; fill: #59636e }
  .reached { fill: #1a7f37 } .missed { fill: #bc4c00 }
  .spread { stroke: #59636e; stroke-width: 2 } .target { stroke: #1f2328; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 }
    .reached { fill: #3fb950 } .missed { fill: #db6d28 }
    .spread { stroke: #9198a1 } .target { stroke: #e6edf3 }
  }
</style>`;

/** An SVG with a bar for every result that has a target, its spread, and a line at the targets. */
export function drawChart(shown: readonly Shown[]): string {
  const bars = shown.flatMap(({ row, measured }) =>
    measured.filter(({ target }) => target).map((one) => ({ title: row.title, one })),
  );
  const height = TOP + bars.length * LINE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="What is reached of each target">`,
    STYLE,
    `<text x="8" y="20">Each bar against its target, the dashed line</text>`,
    `<text x="8" y="38" class="small">“at least” is reached to the right of it, “at most” to the left; the thin line is the spread</text>`,
    ...bars.map(({ title, one }, index) => drawBar(title, one, TOP + index * LINE)),
    `<line class="target" x1="${TARGET_AT}" x2="${TARGET_AT}" y1="${TOP}" y2="${height}"/>`,
    '</svg>\n',
  ].join('\n');
}

function drawBar(title: string, one: Measured, top: number): string {
  const { figure, target } = one;
  const at = (value: number) =>
    Math.max(0, Math.min(LONGEST, (value / (target?.value ?? 1)) * TARGET_AT));
  const y = top + 24;
  const [from, to, length] = [figure.lowest, figure.highest, figure.median].map(at);
  return [
    `<text x="8" y="${top + 14}">${inXml(`${title}: ${one.what}`)}</text>`,
    `<rect class="${holds(one) ? 'reached' : 'missed'}" x="8" y="${y}" width="${Math.max(0, Number(length) - 8)}" height="${BAR}" rx="2"/>`,
    `<line class="spread" x1="${from}" x2="${to}" y1="${y + BAR / 2}" y2="${y + BAR / 2}"/>`,
    `<text class="small" x="8" y="${y + BAR + 13}">${inXml(`${figureAsText(one)}, ${targetAsText(one)}`)}</text>`,
  ].join('\n');
}

const inXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
