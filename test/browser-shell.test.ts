/** `npm start` without Electron: what it suggests when the engine cannot start. */
import { expect, test } from 'vitest';
import { suggestCommand } from '../scripts/browser-shell.mjs';

test.each([
  ['port_unavailable', 43_117, 'Start it at another port: npm start -- --port 43118'],
  ['port_unavailable', 50_000, 'Start it at another port: npm start -- --port 50001'],
  ['folder_locked', 43_117, null],
])('after %s at port %i: %s', (error, port, command) => {
  expect(suggestCommand(error, port)).toBe(command);
});
