// Runs npm to its end, and returns what it printed.
import { spawnSync } from 'node:child_process';

/**
 * Runs npm: the one that runs this script, or the one on the path. Throws with its errors.
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {string} its standard output
 */
export function runNpm(args, { cwd, env = process.env }) {
  const own = process.env.npm_execpath;
  const options = { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  const run = own
    ? spawnSync(process.env.npm_node_execpath ?? process.execPath, [own, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (run.status !== 0)
    throw new Error(`npm ${args.join(' ')} failed: ${run.stderr ?? run.error?.message}`);
  return run.stdout;
}
