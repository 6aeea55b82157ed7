// Which selections of layers are accepted, row by row.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type LayerCode,
  layerByCode,
  layerCodes,
  layers,
  resolveSelection,
} from '../../engine/contract/jobs/layers.ts';

const all = layerCodes;

describe('layers are selected in order; a later layer requires the earlier ones', () => {
  const table: [string[], LayerCode[] | RegExp][] = [
    [['L1'], ['L1']],
    [
      ['L1', 'L2'],
      ['L1', 'L2'],
    ],
    [
      ['L2', 'L1'],
      ['L1', 'L2'],
    ],
    [
      ['L1', 'L1', 'L2'],
      ['L1', 'L2'],
    ],
    [
      ['L1', 'L2', 'L3'],
      ['L1', 'L2', 'L3'],
    ],
    [
      ['MPA', 'L1'],
      ['L1', 'MPA'],
    ],
    [['full'], [...all]],
    [['full', 'full'], [...all]],
    [['L2'], /L2 needs L1/],
    [['L1', 'L3'], /L3 needs L2/],
    [['L4'], /L4 needs L1 and L2 and L3/],
    [['MPA'], /MPA cannot be the only layer/],
    [['full', 'L1'], /"full" must be the only code/],
    [['L9'], /Unknown layer "L9"/],
    [['l1'], /Unknown layer "l1"/],
    [[''], /Unknown layer ""/],
  ];
  test.each(table)('%j', (selection, expected) => {
    const answer = resolveSelection(selection, all);
    if (expected instanceof RegExp) expect('problem' in answer && answer.problem).toMatch(expected);
    else expect(answer).toEqual({ codes: expected });
  });
});

describe('a layer can be switched off per account', () => {
  const table: [string[], LayerCode[], LayerCode[] | RegExp][] = [
    [['L1', 'MPA'], ['L1'], /MPA is switched off/],
    [['L1', 'L2', 'L3'], ['L1', 'L3', 'L4'], /L2 is switched off/],
    [['full'], ['L1', 'L3', 'L4', 'MPA'], ['L1', 'MPA']],
    [['full'], ['MPA'], /has no layer switched on/],
    [['full'], [], /has no layer switched on/],
  ];
  test.each(table)('%j with %j on', (selection, active, expected) => {
    const answer = resolveSelection(selection, active);
    if (expected instanceof RegExp) expect('problem' in answer && answer.problem).toMatch(expected);
    else expect(answer).toEqual({ codes: expected });
  });
});

test('every accepted selection has all required layers, in order, once, and never MPA alone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...all, 'full', 'L5'), { maxLength: 6 }),
      fc.subarray([...all]),
      (selection, active) => {
        const answer = resolveSelection(selection, active);
        if (!('codes' in answer)) return;
        const { codes } = answer;
        expect(codes).toEqual(all.filter((code) => codes.includes(code)));
        for (const code of codes) {
          expect(active).toContain(code);
          for (const needed of layerByCode[code].requires) expect(codes).toContain(needed);
        }
        if (selection.length > 0) expect(codes).not.toEqual(['MPA']);
      },
    ),
  );
});

test('codes and names are unique, and a layer requires only layers above it', () => {
  const names = layers.flatMap(({ fields }) => fields);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(all).size).toBe(all.length);
  for (const [at, { requires }] of layers.entries())
    expect(all.slice(0, at)).toEqual(expect.arrayContaining([...requires]));
});

test('the outcomes of all layers and of the row fit into the low half of a fact', () => {
  // jobs/results/view/row-facts.ts has what else is known of a row in the high half.
  expect(4 ** (all.length + 1)).toBeLessThanOrEqual(2 ** 16);
});
