// Draws the time and the accuracy of several methods as an SVG: one panel for each directory.

/** A list that a method has answered. */
export interface PeerPoint {
  readonly name: string;
  readonly people: number;
  readonly rows: number;
  readonly seconds: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Between the names of methods. */
const legendStep = 180;
const panel = { width: 430, height: 302, left: 52, right: 24, top: 74, bottom: 48 } as const;
const round = (value: number) => Math.round(value * 10) / 10;
export const shown = (value: number) => value.toLocaleString('en');

function drawPanel(points: readonly PeerPoint[], all: readonly PeerPoint[], left: number): string {
  const times = all.map(({ seconds }) => Math.log10(seconds));
  const [from, to] = [Math.floor(Math.min(...times)), Math.ceil(Math.max(...times))];
  const least = Math.floor(Math.min(...all.map(({ f1 }) => f1)) * 10) / 10;
  const width = panel.width - panel.left - panel.right;
  const height = panel.height - panel.top - panel.bottom;
  const start = left + panel.left;
  const x = (seconds: number) =>
    round(start + ((Math.log10(seconds) - from) / (to - from)) * width);
  const y = (f1: number) => round(panel.top + height - ((f1 - least) / (1 - least)) * height);
  const bottom = panel.top + height;
  const title = `${shown(points[0]!.people)} people in the directory`;
  const axis = 'seconds from the file to the saved file';
  const parts = [
    `<text x="${start}" y="20" class="title">${title}</text>`,
    `<text x="${start}" y="${panel.top - 12}">F1</text>`,
    `<text x="${start + width / 2}" y="${panel.height - 8}" class="mid">${axis}</text>`,
  ];
  for (let power = from; power <= to; power++)
    parts.push(
      `<path class="grid" d="M${x(10 ** power)} ${panel.top}V${bottom}"/>`,
      `<text x="${x(10 ** power)}" y="${bottom + 18}" class="mid">${10 ** power}</text>`,
    );
  for (let at = Math.round(least * 10); at <= 10; at++)
    parts.push(
      `<path class="grid" d="M${start} ${y(at / 10)}H${start + width}"/>`,
      `<text x="${start - 6}" y="${y(at / 10) + 4}" class="end">${(at / 10).toFixed(1)}</text>`,
    );
  const names = [...new Set(all.map(({ name }) => name))];
  for (const [at, name] of names.entries()) {
    const own = points.filter((point) => point.name === name);
    const path = own.map(({ seconds, f1 }) => `${x(seconds)} ${y(f1)}`).join('L');
    parts.push(`<path d="M${path}" class="line c${at}"/>`);
    for (const [nth, { rows, seconds, f1 }] of own.entries()) {
      // Lists may take nearly the same time: their numbers are above and below the line in turn.
      const base = y(f1) + (nth % 2 === 0 ? -9 : 17);
      parts.push(
        `<circle cx="${x(seconds)}" cy="${y(f1)}" r="4" class="dot c${at}"/>`,
        `<text x="${x(seconds)}" y="${base}" class="mid small">${shown(rows)}</text>`,
      );
    }
  }
  return parts.join('\n');
}

/** Draws the points; the numbers at the points are rows of the list. */
export function drawPeers(points: readonly PeerPoint[]): string {
  const directories = [...new Set(points.map(({ people }) => people))];
  const names = [...new Set(points.map(({ name }) => name))];
  const width = Math.max(panel.width * directories.length, panel.left + legendStep * names.length);
  const legend = names.map(
    (name, at) =>
      `<circle cx="${panel.left + 6 + at * legendStep}" cy="36" r="4" class="dot c${at}"/>` +
      `<text x="${panel.left + 16 + at * legendStep}" y="40">${name}</text>`,
  );
  const panels = directories.map((people, at) =>
    drawPanel(
      points.filter((point) => point.people === people),
      points,
      at * panel.width,
    ),
  );
  const colours = names.map(
    (_name, at) => `.line.c${at} { stroke: var(--c${at}); } .dot.c${at} { fill: var(--c${at}); }`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${panel.height}">
<style>
svg { --ink: #374151; --paper: #ffffff; --grid: #d1d5db;
--c0: #b45309; --c1: #7c3aed; --c2: #2563eb; }
@media (prefers-color-scheme: dark) {
svg { --ink: #d1d5db; --paper: #0d1117; --grid: #374151;
--c0: #f59e0b; --c1: #a78bfa; --c2: #60a5fa; }
}
text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.title { font-weight: 600; }
.small { font-size: 10px; }
.mid { text-anchor: middle; }
.end { text-anchor: end; }
.grid { stroke: var(--grid); }
.line { fill: none; stroke-width: 2; }
${colours.join('\n')}
</style>
<rect width="100%" height="100%" fill="var(--paper)"/>
${legend.join('\n')}
${panels.join('\n')}
</svg>
`;
}
