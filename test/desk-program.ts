/** The program `desk` that tests start as a process of its own. */
import { resolve } from 'node:path';

/** The built one where the whole run has just built it, which starts in half the time. */
export const deskProgram = resolve(
  import.meta.dirname,
  process.env.DESK_TEST_BUILT ? '../out/engine/main.js' : '../engine/cli/main.ts',
);
