// The program `desk`, which tests start as a separate process.
import { resolve } from 'node:path';

/** The built program, if the run has just built it; it starts in half the time. */
export const deskProgram = resolve(
  import.meta.dirname,
  process.env.DESK_TEST_BUILT ? '../out/engine/main.js' : '../engine/cli/main.ts',
);

/**
 * Arguments of Node that start it. With a large young generation a start collects less garbage,
 * which takes an eighth of its processor time.
 */
export const deskCommand = ['--min-semi-space-size=16', deskProgram] as const;
