// Draws the plots of docs/performance.md from the bench's result files. `node dev/bench/plot.ts` draws both; `npm run bench` with
// `--save` writes a result file and draws its plot.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Route } from './candidates.ts';

/** The median, the lowest and the highest figure of the rounds. */
export type Spread = [median: number, least: number, most: number];

/** One run: ratios by the name of a peer or the number of rows, then by route. */
export type Results = {
  date: string;
  command: string;
  machine: string;
  rows: number;
  ratios: Record<string, Partial<Record<Route, Spread>>>;
};

const root = join(import.meta.dirname, '../..');

/** Each plot with its result file, its picture and the function that draws it. */
export const PLOTS = {
  peers: { results: 'dev/bench/results/peers.json', picture: 'docs/throughput.svg', draw: drawThroughput },
  rows: { results: 'dev/bench/results/rows.json', picture: 'docs/rows.svg', draw: drawRows },
} as const;

export type Plot = keyof typeof PLOTS;

export const savedResults = (plot: Plot): Results =>
  JSON.parse(readFileSync(join(root, PLOTS[plot].results), 'utf8'));

/** Writes a run's result file and its picture. */
export function save(plot: Plot, results: Results): void {
  const lines = JSON.stringify(results, null, 2).replace(
    /\[\s+([\d.]+),\s+([\d.]+),\s+([\d.]+)\s+\]/g,
    '[$1, $2, $3]',
  );
  writeFileSync(join(root, PLOTS[plot].results), `${lines}\n`);
  drawPicture(plot);
}

function drawPicture(plot: Plot): void {
  const { picture, draw } = PLOTS[plot];
  writeFileSync(join(root, picture), draw(savedResults(plot)));
}

const LABELS: Record<Route, string> = {
  item: 'GET /items/{id}',
  list: 'GET /items?limit=100',
  registry: 'GET /registries/{id}/items',
  update: 'PUT /items/{id}',
  create: 'POST /items',
  claim: 'POST …/claims',
};

const WIDTH = 760;
const LEFT = 224;
const RIGHT = 24;
const MOST_TIMES_A_PEER = 12;

/** Draws horizontal bars: how many times a peer's requests per second the service answers. */
function drawThroughput({ date, command, rows, ratios }: Results): string {
  const peers = Object.keys(ratios);
  const routes = routesOf(ratios);
  const medians = peers.flatMap((peer) => routes.map((route) => ratios[peer]![route]?.[0] ?? 0));
  const most = Math.min(MOST_TIMES_A_PEER, Math.ceil(Math.max(...medians) * 1.2));
  const x = scale(0, most, LEFT, WIDTH - RIGHT - 46);
  const [bar, gap, top] = [18, 14, 92];
  const groupHeight = peers.length * bar + gap;
  const bottom = top + routes.length * groupHeight;

  const parts: string[] = [];
  for (let times = 0; times <= most; times++) {
    parts.push(line(times === 1 ? 'even' : 'grid', x(times), top - 8, x(times), bottom - gap + 8));
    parts.push(text('note middle', x(times), bottom + 12, `${times}×`));
  }
  for (const [group, route] of routes.entries()) {
    const y = top + group * groupHeight;
    parts.push(text('end', LEFT - 12, y + (peers.length * bar) / 2 + 5, LABELS[route]));
    for (const [n, peer] of peers.entries()) {
      const spread = ratios[peer]![route];
      if (!spread) continue;
      const [median, least, largest] = spread;
      const [from, to] = [x(least), x(Math.min(largest, most))];
      const middle = y + n * bar + bar / 2;
      parts.push(rectangle(`series${n}`, LEFT, y + n * bar + 2, x(Math.min(median, most)) - LEFT, bar - 4));
      parts.push(line('range', from, middle, to, middle));
      parts.push(text('value', to + 8, middle + 5, `${median.toFixed(2)}${largest > most ? ' →' : ''}`));
    }
  }
  const title = 'Requests per second, to those of each peer';
  const described = routes.map((route) => {
    const figures = peers.map((peer) => `${ratios[peer]![route]?.[0].toFixed(2) ?? '–'} of ${peer}`);
    return `${LABELS[route]}: ${figures.join(', ')}`;
  });
  const subtitle = `1× is as many as the peer. Bar: median; line: least to most. ${date}, ${rows.toLocaleString('en')} rows.`;
  return picture({
    title,
    description: `${described.join('. ')}. ${command}`,
    height: bottom + 28,
    parts: [...heading(title, subtitle, peers, LEFT), ...parts],
  });
}

/** Draws lines on a logarithmic axis: the cost of a request with more rows, relative to the cost with the fewest. */
function drawRows({ date, command, ratios }: Results): string {
  const sizes = Object.keys(ratios)
    .map(Number)
    .sort((a, b) => a - b);
  const routes = routesOf(ratios);
  const of = (size: number, route: Route) => ratios[String(size)]![route]![0];
  const medians = sizes.flatMap((size) => routes.map((route) => of(size, route)));
  const most = Math.max(2, Math.ceil(Math.max(...medians) * 2) / 2);
  const [left, right, top, bottom] = [64, WIDTH - 286, 92, 360];
  const x = scale(Math.log10(sizes[0]!), Math.log10(sizes.at(-1)!), left, right);
  const y = scale(0, most, bottom, top);

  const parts: string[] = [];
  for (let cost = 0; cost <= most; cost += 0.5) {
    parts.push(line(cost === 1 ? 'even' : 'grid', left, y(cost), right, y(cost)));
    parts.push(text('note end', left - 10, y(cost) + 4, cost.toFixed(1)));
  }
  for (const size of sizes)
    parts.push(text('note middle', x(Math.log10(size)), bottom + 22, size.toLocaleString('en')));
  parts.push(text('note middle', (left + right) / 2, bottom + 44, 'rows'));

  const places = spaced(
    routes.map((route) => y(of(sizes.at(-1)!, route))),
    20,
  );
  for (const [n, route] of routes.entries()) {
    const points = sizes.map((size): [number, number] => [x(Math.log10(size)), y(of(size, route))]);
    const path = points.map(([px, py]) => `${round(px)},${round(py)}`).join(' ');
    parts.push(`<polyline class="curve series${n}" points="${path}"/>`);
    for (const [px, py] of points)
      parts.push(`<circle class="series${n}" cx="${round(px)}" cy="${round(py)}" r="4"/>`);
    const [lastX, lastY] = points.at(-1)!;
    parts.push(line('leader', lastX + 6, lastY, right + 20, places[n]!));
    parts.push(
      text('value', right + 26, places[n]! + 5, `${of(sizes.at(-1)!, route).toFixed(2)}  ${LABELS[route]}`),
    );
  }
  const title = `Cost of a request, to that with ${sizes[0]!.toLocaleString('en')} rows`;
  const described = routes.map(
    (route) => `${LABELS[route]}: ${sizes.map((size) => of(size, route).toFixed(2)).join(', ')}`,
  );
  return picture({
    title,
    description: `With ${sizes.map((size) => size.toLocaleString('en')).join(', ')} rows. ${described.join('. ')}. ${command}`,
    height: bottom + 62,
    parts: [...heading(title, `1.0 is no dearer. Medians. ${date}, SQLite.`, [], left), ...parts],
  });
}

const routesOf = (ratios: Results['ratios']): Route[] =>
  (Object.keys(LABELS) as Route[]).filter((route) => Object.values(ratios).some((each) => each[route]));

const scale =
  (from: number, to: number, start: number, end: number) =>
  (value: number): number =>
    start + ((value - from) / (to - from)) * (end - start);

/** Returns these heights, moved apart where labels would overlap. */
function spaced(heights: number[], least: number): number[] {
  const order = heights.map((_, n) => n).sort((a, b) => heights[a]! - heights[b]!);
  const placed = [...heights];
  for (const [n, each] of order.entries()) {
    const above = n > 0 ? placed[order[n - 1]!]! + least : Number.NEGATIVE_INFINITY;
    placed[each] = Math.max(heights[each]!, above);
  }
  return placed;
}

const round = (value: number) => Number(value.toFixed(1));
const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (style: string, x: number, y: number, words: string) =>
  `<text class="${style}" x="${round(x)}" y="${round(y)}">${escaped(words)}</text>`;
const line = (style: string, x1: number, y1: number, x2: number, y2: number) =>
  `<line class="${style}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
const rectangle = (style: string, x: number, y: number, width: number, height: number) =>
  `<rect class="${style}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="2"/>`;

function heading(title: string, subtitle: string, series: string[], left: number): string[] {
  const legend = series.flatMap((name, n) => [
    rectangle(`series${n}`, left + n * 110, 63, 12, 12),
    text('', left + 18 + n * 110, 74, name),
  ]);
  return [text('title', 24, 32, title), text('note', 24, 52, subtitle), ...legend];
}

type Picture = { title: string; description: string; height: number; parts: string[] };

const picture = ({ title, description, height, parts }: Picture) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
  <title id="title">${escaped(title)}</title>
  <desc id="description">${escaped(description)}</desc>
  <style>${STYLE}</style>
  <rect class="paper" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="10"/>
  ${parts.join('\n  ')}
</svg>
`;

const LIGHT = ['#3f7d4e', '#c07a1f', '#4a6fa5', '#8a5a9e', '#a3434b', '#5f6b76'];
const DARK = ['#7fbf8c', '#e0a557', '#8fb0e0', '#c39bd6', '#e08a90', '#a9b4bf'];

const colours = (list: string[]) =>
  list
    .map((colour, n) => `.series${n} { fill: ${colour} } .curve.series${n} { fill: none; stroke: ${colour} }`)
    .join('\n    ');

const STYLE = `
    text { font: 15px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2933 }
    .title { font-weight: 600; font-size: 18px }
    .note { fill: #52606d; font-size: 13px }
    .end { text-anchor: end }
    .middle { text-anchor: middle }
    .paper { fill: #fffdf9; stroke: #e3dccf }
    .grid { stroke: #e3dccf }
    .even { stroke: #52606d; stroke-dasharray: 4 3 }
    .range { stroke: #1f2933; stroke-width: 1.5 }
    .leader { stroke: #a79f90 }
    .curve { stroke-width: 2.5 }
    ${colours(LIGHT)}
    @media (prefers-color-scheme: dark) {
    text { fill: #e6e1d8 }
    .note { fill: #b3aca0 }
    .paper { fill: #1d1f21; stroke: #3a3c3e }
    .grid { stroke: #3a3c3e }
    .even { stroke: #b3aca0 }
    .range { stroke: #e6e1d8 }
    ${colours(DARK)}
    }
  `;

if (import.meta.main) {
  for (const plot of Object.keys(PLOTS) as Plot[]) {
    drawPicture(plot);
    console.log(relative(process.cwd(), join(root, PLOTS[plot].picture)));
  }
}
