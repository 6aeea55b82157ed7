// Progress updates one line on a terminal and is one line a second elsewhere, with the rate of the
// last seconds.
import { expect, test } from 'vitest';
import { createProgress } from '../../engine/cli/kit/progress.ts';
import type { Terminal } from '../../engine/cli/kit/terminal.ts';

function watch(isTTY: boolean) {
  const written: string[] = [];
  let atMs = 0;
  const terminal: Terminal = {
    output: { write: (text) => written.push(text), isTTY, columns: 100 },
    isInteractive: isTTY,
    note: () => {},
    ask: async () => false,
    readSecret: async () => '',
  };
  const progress = createProgress(terminal, () => atMs);
  const show = (second: number, done: number, label = 'running') => {
    atMs = second * 1_000;
    progress.show({ label, done, total: 1_000, unit: 'rows' });
  };
  return { written, progress, show };
}

test('without a terminal there is at most one line a second', () => {
  const { written, show } = watch(false);
  for (let tenth = 0; tenth <= 30; tenth++) show(tenth / 10, tenth * 10);
  expect(written).toEqual([
    'running: 0% · 0 of 1,000 rows\n',
    'running: 10% · 100 of 1,000 rows · 100 rows/s · 9 s left\n',
    'running: 20% · 200 of 1,000 rows · 100 rows/s · 8 s left\n',
    'running: 30% · 300 of 1,000 rows · 100 rows/s · 7 s left\n',
  ]);
});

test('a new step is reported at once', () => {
  const { written, show } = watch(false);
  show(0, 0, 'queued');
  show(0.1, 0, 'running');
  expect(written).toHaveLength(2);
});

test('on a terminal one line is updated and ended once', () => {
  const { written, progress, show } = watch(true);
  show(0, 0);
  show(0.1, 500);
  progress.end();
  progress.end();
  expect(written.map((text) => text.replace('\r\u001b[K', '>'))).toEqual([
    '>[------------------------] running: 0% · 0 of 1,000 rows',
    '>[############------------] running: 50% · 500 of 1,000 rows · 5,000 rows/s · 0 s left',
    '\n',
  ]);
});

test('the rate ignores anything older than ten seconds', () => {
  const { written, show } = watch(false);
  show(0, 0);
  show(20, 10);
  show(21, 110);
  expect(written.at(-1)).toContain('100 rows/s · 9 s left');
});

test('a step that is done is shown once, and a step that stands still is not repeated', () => {
  const { written, show } = watch(false);
  show(0, 0);
  for (const second of [1, 2]) show(second, 0);
  show(2.5, 1_000);
  for (const second of [4, 5, 9]) show(second, 1_000);
  expect(written).toEqual([
    'running: 0% · 0 of 1,000 rows\n',
    'running: 100% · 1,000 of 1,000 rows · 400 rows/s\n',
  ]);
});

test('a task of unknown size shows how much is done', () => {
  const { written, progress } = watch(false);
  progress.show({ label: 'Reading', done: 3 * 1024 ** 2, total: null, unit: 'bytes' });
  progress.show({ label: 'Small', done: 0, total: 45_000, unit: 'bytes' });
  expect(written).toEqual(['Reading: 3.0 MB\n', 'Small: 0% · 0 bytes of 43.9 KB\n']);
});
