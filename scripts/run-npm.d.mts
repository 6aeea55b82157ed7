// Types of run-npm.mjs.
export function runNpm(
  args: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): string;
