/**
 * The smoke test of the desktop shell: from an empty installation to the saved sample. With
 * DESK_EXPECT_HOST=electron it fails on the stand-in.
 * @module-tag full
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDesk } from '../open-desk.ts';
import { trySample } from './try-sample.ts';

test('the window opens, the sample is priced with one click, enriched, and saved', async () => {
  const desk = await openDesk('desktop');
  onTestFinished(() => desk.close());
  expect(desk.host).toBe(process.env.DESK_EXPECT_HOST ?? desk.host);
  expect(await trySample(desk)).toBeGreaterThan(0);
  const saved = join(desk.dir, 'enriched.csv');
  await desk.saveCsv(saved);
  expect(readFileSync(saved, 'utf8')).toMatch(/Enrichment status.*\r\n(.*\r\n)*.*,enriched,/);
});
