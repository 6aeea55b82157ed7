// Shows progress on standard error: a bar on a terminal, plain lines elsewhere.
import { formatBytes, formatCount, formatSeconds, formatShare } from './format-text.ts';
import type { Terminal } from './terminal.ts';

export interface Step {
  readonly label: string;
  readonly done: number;
  /** Null while it is unknown. */
  readonly total: number | null;
  readonly unit: string;
}
export interface Progress {
  show(step: Step): void;
  /** Ends the line. Nothing is shown afterwards. */
  end(): void;
}

/** The rate is measured over this window, so that a slow start or a pause ages out. */
const rateWindowMs = 10_000;
const plainIntervalMs = 1_000;
const barCells = 24;

interface Sample {
  readonly atMs: number;
  readonly done: number;
}

/** Units per second over the samples; null while there are too few. */
function measureRate(samples: Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.atMs <= first.atMs || last.done <= first.done) return null;
  return (last.done - first.done) / ((last.atMs - first.atMs) / 1_000);
}

const formatQuantity = (count: number, unit: string): string =>
  unit === 'bytes' ? formatBytes(count) : formatCount(Math.round(count));

/** One line with the known parts of: share, done of total, rate, time left. */
function formatStep(step: Step, ratePerSecond: number | null): string {
  const { label, done, total, unit } = step;
  const noun = unit === 'bytes' ? '' : ` ${unit}`;
  const parts =
    total === null
      ? [`${formatQuantity(done, unit)}${noun}`]
      : [
          formatShare(total === 0 ? 1 : done / total),
          `${formatQuantity(done, unit)} of ${formatQuantity(total, unit)}${noun}`,
        ];
  if (ratePerSecond !== null) {
    parts.push(`${formatQuantity(ratePerSecond, unit)}${noun}/s`);
    if (total !== null && total > done)
      parts.push(`${formatSeconds((total - done) / ratePerSecond)} left`);
  }
  return `${label}: ${parts.join(' · ')}`;
}

function formatBar(step: Step): string {
  if (step.total === null) return '';
  const filled = step.total === 0 ? barCells : Math.floor((barCells * step.done) / step.total);
  return `[${'#'.repeat(filled)}${'-'.repeat(barCells - filled)}] `;
}

/** Creates a display. `now` is a clock in milliseconds. */
export function createProgress(terminal: Terminal, now: () => number = Date.now): Progress {
  const { output } = terminal;
  let samples: Sample[] = [];
  let label = '';
  let shown = '';
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let isLineOpen = false;

  return {
    show(step) {
      const atMs = now();
      const isNew = step.label !== label;
      const isDone = step.done === step.total;
      // The rate of a step that is done would only fall.
      if (!isNew && isDone && samples.at(-1)?.done === step.done) return;
      if (isNew) samples = [];
      label = step.label;
      samples.push({ atMs, done: step.done });
      samples = samples.filter((sample) => atMs - sample.atMs <= rateWindowMs);
      const line = formatStep(step, measureRate(samples));
      if (output.isTTY) {
        if (isNew && isLineOpen) output.write('\n');
        const width = (output.columns || 80) - 1;
        output.write(`\r\u001b[K${`${formatBar(step)}${line}`.slice(0, width)}`);
        isLineOpen = true;
      } else if (line !== shown && (isNew || isDone || atMs - shownAtMs >= plainIntervalMs)) {
        shown = line;
        shownAtMs = atMs;
        output.write(`${line}\n`);
      }
    },
    end() {
      if (isLineOpen) output.write('\n');
      isLineOpen = false;
    },
  };
}
