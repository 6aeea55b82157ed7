// Window bounds stored between two starts, and their validation.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readShellState, writeShellState } from '../../main/shell-state.ts';
import { fitBounds } from '../../main/window-bounds.ts';
import { scratch } from '../launch.ts';

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const second = { x: 1440, y: 0, width: 1920, height: 1080 };
const first = { width: 1280, height: 800 };

test.each([
  ['nothing remembered', null, [laptop], first],
  ['a place on the screen', { x: 40, y: 60, width: 1000, height: 700 }, [laptop], null],
  [
    'a place on the second screen',
    { x: 1500, y: 10, width: 1000, height: 700 },
    [laptop, second],
    null,
  ],
  ['a screen that is gone', { x: 1500, y: 10, width: 1000, height: 700 }, [laptop], first],
  ['above the screen', { x: 40, y: -300, width: 1000, height: 700 }, [laptop], first],
  ['no screen at all', { x: 40, y: 60, width: 1000, height: 700 }, [], first],
])('the window opens with valid bounds with %s', (_case, remembered, workAreas, expected) => {
  expect(fitBounds(remembered, workAreas)).toEqual(expected ?? remembered);
});

test('a window that was too small opens at its minimum size', () => {
  const tiny = { x: 10, y: 30, width: 200, height: 100 };
  expect(fitBounds(tiny, [laptop])).toEqual({ x: 10, y: 30, width: 960, height: 640 });
});

test('stored bounds are restored, and a damaged file counts as none', () => {
  using place = scratch();
  const background = { keepsRunning: true, knowsBackground: false };
  const usual = { ...background, updates: { isOn: true, channel: 'stable' } };
  const none = { bounds: null, isMaximized: false, theme: 'system', ...usual };
  expect(readShellState(place.dir)).toEqual(none);
  const updates = { isOn: false, channel: 'beta' } as const;
  const state = {
    bounds: laptop,
    isMaximized: true,
    theme: 'dark',
    ...background,
    updates,
  } as const;
  writeShellState(place.dir, state);
  expect(readShellState(place.dir)).toEqual(state);
  expect(readdirSync(place.dir)).toEqual(['window.json']);
  writeFileSync(join(place.dir, 'window.json'), '{"bounds": "torn');
  expect(readShellState(place.dir)).toEqual(none);
});
