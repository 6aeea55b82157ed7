// How answers are counted, and how the program scores a list of the caller's own.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  acceptFrom,
  calibrationError,
  f1,
  lowestThreshold,
  precision,
  precisionAtLeast,
  readReliability,
  recall,
  tally,
  tallyBy,
} from '../../../bench/messy/score.ts';

const row = (answer: string, truth: string, confidence = 0.9, kinds: string[] = []) => ({
  answer,
  truth,
  confidence,
  kinds,
});

test('a wrong person and an answer without a true person are false positives', () => {
  const counts = tally([row('a', 'a'), row('b', 'a'), row('', 'a'), row('c', ''), row('', '')]);
  expect(counts).toEqual({ rows: 5, known: 3, right: 1, wrong: 2 });
  expect([precision(counts), recall(counts), f1(counts)]).toEqual([1 / 3, 1 / 3, 1 / 3]);
  expect([precision(tally([])), recall(tally([]))]).toEqual([1, Number.NaN]);
});

test('a row counts once for each of its kinds', () => {
  const rows = [row('a', 'a', 0.9, ['x', 'y', 'x']), row('', 'b', 0, ['y'])];
  const byKind = tallyBy(rows, ({ kinds }) => kinds);
  expect([...byKind].map(([kind, { rows: count }]) => [kind, count])).toEqual([
    ['x', 1],
    ['y', 2],
  ]);
});

test('the calibration error weighs the tenths of confidence by their answers', () => {
  const rows = [
    ...Array.from({ length: 3 }, () => row('a', 'a', 0.95)),
    row('b', 'a', 0.95),
    row('a', 'a', 0.5),
    row('', 'a', 0.1),
  ];
  const bins = readReliability(rows);
  expect(bins.map(({ from, answers, right }) => [from, answers, right])).toEqual([
    [0.5, 1, 1],
    [0.9, 4, 0.75],
  ]);
  expect(calibrationError(rows)).toBeCloseTo((4 * 0.2 + 1 * 0.5) / 5);
  expect(calibrationError([])).toBe(0);
});

test('the lower bound of a precision rises with the answers, and stays below the precision', () => {
  const boundOf = (right: number, wrong: number) =>
    precisionAtLeast({ rows: 0, known: 0, right, wrong });
  expect(boundOf(9, 1)).toBeCloseTo(0.6526, 3);
  expect(boundOf(990, 10)).toBeCloseTo(0.9834, 3);
  expect(boundOf(0, 0)).toBe(1);
  expect(boundOf(0, 5)).toBeCloseTo(0);
  expect(boundOf(5, 0)).toBeLessThan(1);
});

test('the lowest threshold is the one from which on a precision holds with confidence', () => {
  const listOf = (count: number, answer: string, confidence: number) =>
    Array.from({ length: count }, () => row(answer, 'a', confidence));
  const rows = [
    ...listOf(10, 'b', 0.56),
    ...listOf(30, 'a', 0.7),
    ...listOf(10, 'b', 0.87),
    ...listOf(500, 'a', 0.95),
  ];
  expect(tally(acceptFrom(rows, 0.87))).toEqual({ rows: 550, known: 550, right: 500, wrong: 10 });
  expect(lowestThreshold(rows, 0.9)).toBe(0.5);
  expect(lowestThreshold(rows, 0.97)).toBe(0.9);
  // 20 wrong of 550 are 0.964, but only 0.949 with confidence.
  expect(lowestThreshold(rows, 0.955)).toBe(0.6);
  expect(lowestThreshold(listOf(9, 'b', 1), 0.9)).toBeNull();
});

test('the benchmark scores a list of the caller against a folder of the caller', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'score-'));
  const write = (name: string, lines: string[]) => writeFileSync(join(dir, name), lines.join('\n'));
  try {
    write('people.csv', [
      'person_id,first_name,last_name,organization,org_id',
      'p1,Ada,Lovelace,Analytical Engines,c1',
      'p2,Grace,Hopper,Navy Computing,c2',
    ]);
    write('inputs.csv', [
      'row_id,first_name,last_name,company_name',
      'r1,Ada,Lovelace,Analytical Engines',
      'r2,Grace,Hopper,Navy Computing',
      'r3,Zoltan,Quist,Elsewhere',
    ]);
    write('truth.csv', ['row_id,person_id,kinds', 'r1,p1,clean', 'r2,,not-hidden', 'r3,p1,far']);
    const program = join(import.meta.dirname, '../../../bench/matching.ts');
    const files = ['--inputs', join(dir, 'inputs.csv'), '--truth', join(dir, 'truth.csv')];
    const ran = promisify(execFile)(process.execPath, [program, ...files, '--directory', dir]);
    const { stdout } = await ran;
    expect(stdout).toContain('1 right, 1 false positives, 1 missed');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}, 120_000);
