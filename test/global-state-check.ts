/**
 * Files of rules share a process: each must restore environment, folder, clock and streams. The
 * server gives its framework no reason to warn.
 */
import { afterAll, beforeAll, expect } from 'vitest';

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
afterAll(() => {
  process.off('warning', noteWarning);
  expect(describeProcess()).toEqual(before);
  expect(warnings).toEqual([]);
});
