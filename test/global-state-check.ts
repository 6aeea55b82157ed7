// Files of rules share a process: each must restore environment, folder, clock and streams, and end
// its commands. The server gives its framework no reason to warn. A test that fails, such as by its
// time limit, says which commands and engines it waits for.
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { describeWaits } from './waiting.ts';

const describeProcess = () => ({
  environment: { ...process.env },
  folder: process.cwd(),
  own: [globalThis.fetch, Date, process.stdout.write, process.stderr.write],
});

const warnings: string[] = [];
const noteWarning = (warning: Error & { code?: string }) => {
  if (warning.code?.startsWith('FST')) warnings.push(warning.message);
};

let before: ReturnType<typeof describeProcess>;
beforeAll(() => {
  before = describeProcess();
  process.on('warning', noteWarning);
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') expect(describeWaits()).toEqual([]);
});
afterAll(() => {
  process.off('warning', noteWarning);
  expect(describeWaits()).toEqual([]);
  expect(describeProcess()).toEqual(before);
  expect(warnings).toEqual([]);
});
