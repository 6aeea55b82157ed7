/** Files of rules share a process: each must restore environment, folder, clock and streams. */
import { afterAll, beforeAll, expect } from 'vitest';

const describeProcess = () => ({
  environment: { ...process.env },
  folder: process.cwd(),
  own: [globalThis.fetch, Date, process.stdout.write, process.stderr.write],
});

let before: ReturnType<typeof describeProcess>;
beforeAll(() => {
  before = describeProcess();
});
afterAll(() => {
  expect(describeProcess()).toEqual(before);
});
