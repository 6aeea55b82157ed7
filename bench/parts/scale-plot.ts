// Draws the cost of a row as an SVG: one panel by rows of the list, one by people.

/** The measured points, by size. */
export interface ScalePoints {
  /** Rows of a list → microseconds of CPU a row. */
  readonly lists: Record<number, number>;
  readonly directories: Record<
    number,
    {
      readonly rowMicroseconds: number;
      readonly importMicroseconds: number;
      readonly indexBytes: number;
      readonly idleMegabytes: number;
    }
  >;
}

interface Line {
  readonly label: string;
  readonly colour: string;
  readonly points: readonly (readonly [size: number, cost: number])[];
}

interface Panel {
  readonly title: string;
  readonly axis: string;
  readonly lines: readonly Line[];
}

const panelWidth = 430;
const panelHeight = 250;
const margin = { left: 62, top: 46, bottom: 44, right: 20 };
const round = (value: number) => Math.round(value * 10) / 10;

const shortSize = (size: number) =>
  size >= 1e6 ? `${round(size / 1e6)}M` : `${round(size / 1e3)}k`;

/** The next round number above a value: 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) as number) * power;
}

function drawPanel({ title, axis, lines }: Panel, left: number): string {
  const points = lines.flatMap((line) => line.points);
  const sizes = [...new Set(points.map(([size]) => size))].sort((a, b) => a - b);
  const [from, to] = [Math.log(sizes[0] ?? 1), Math.log(sizes.at(-1) ?? 10)];
  const top = roundUp(Math.max(...points.map(([, cost]) => cost)) * 1.05);
  const width = panelWidth - margin.left - margin.right;
  const height = panelHeight - margin.top - margin.bottom;
  const x = (size: number) =>
    round(left + margin.left + ((Math.log(size) - from) / (to - from || 1)) * width);
  const y = (cost: number) => round(margin.top + height - (cost / top) * height);
  const parts = [
    `<text x="${left + margin.left}" y="20" class="title">${title}</text>`,
    `<text x="${left + margin.left + width / 2}" y="${panelHeight - 6}" class="mid">${axis}</text>`,
  ];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const at = y(top * share);
    const end = left + margin.left + width;
    parts.push(
      `<path class="grid" d="M${left + margin.left} ${at}H${end}"/>`,
      `<text x="${left + margin.left - 6}" y="${at + 4}" class="end">${round(top * share)}</text>`,
    );
  }
  for (const size of sizes)
    parts.push(
      `<text x="${x(size)}" y="${panelHeight - 24}" class="mid">${shortSize(size)}</text>`,
    );
  for (const [at, line] of lines.entries()) {
    const path = line.points.map(([size, cost]) => `${x(size)} ${y(cost)}`).join('L');
    const dots = line.points.map(
      ([size, cost]) => `<circle cx="${x(size)}" cy="${y(cost)}" r="3" fill="${line.colour}"/>`,
    );
    const labelAt = left + margin.left + at * 190;
    parts.push(
      `<path d="M${path}" fill="none" stroke="${line.colour}" stroke-width="2"/>`,
      ...dots,
      `<text x="${labelAt}" y="38" style="fill:${line.colour}">${line.label}</text>`,
    );
  }
  return parts.join('\n');
}

/** Draws the points. */
export function drawScale({ lists, directories }: ScalePoints): string {
  const entries = Object.entries(directories).map(([size, cost]) => [Number(size), cost] as const);
  const panels: Panel[] = [
    {
      title: 'CPU of a row, by the length of the list',
      axis: 'rows of the list (logarithmic)',
      lines: [
        {
          label: 'µs a row of a job',
          colour: '#2563eb',
          points: Object.entries(lists).map(([rows, cost]) => [Number(rows), cost]),
        },
      ],
    },
    {
      title: 'CPU by the size of the directory',
      axis: 'people in the directory (logarithmic)',
      lines: [
        {
          label: 'µs a row of a job',
          colour: '#2563eb',
          points: entries.map(([size, cost]) => [size, cost.rowMicroseconds]),
        },
        {
          label: 'µs a person of an import',
          colour: '#b45309',
          points: entries.map(([size, cost]) => [size, cost.importMicroseconds]),
        },
      ],
    },
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${panelWidth * 2} ${panelHeight}">
<style>
text { font: 12px system-ui, sans-serif; fill: #374151; }
.title { font-weight: 600; }
.mid { text-anchor: middle; }
.end { text-anchor: end; }
.grid { stroke: #d1d5db; }
</style>
<rect width="100%" height="100%" fill="#ffffff"/>
${panels.map((panel, at) => drawPanel(panel, at * panelWidth)).join('\n')}
</svg>
`;
}
