/**
 * Rules that a device management system sets: a value of the Windows registry, or the managed
 * preferences of macOS. Both are read by a program of the system.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { managedRulesMaxMs } from '../contract/limits/team.ts';
import type { TeamConfig } from '../contract/team/team-config.ts';
import { parseRules, refuseRules } from './rule-file.ts';
import { preferencesPath, registryKey } from './rule-places.ts';

/** Rules with the place that they are from. */
export interface ManagedRules {
  readonly place: string;
  readonly config: TeamConfig;
}

/** What reading needs of the system. */
export interface ManagedSystem {
  readonly platform: NodeJS.Platform;
  exists(path: string): boolean;
  /** Runs a program; null if it exits with 1, which means that there is no such value. */
  run(program: string, args: readonly string[]): string | null;
}

const ownSystem: ManagedSystem = {
  platform: process.platform,
  exists: existsSync,
  run(program, args) {
    try {
      const options = { encoding: 'utf8', timeout: managedRulesMaxMs, windowsHide: true } as const;
      return execFileSync(program, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    } catch (error) {
      if ((error as { status?: number }).status === 1) return null;
      throw error;
    }
  },
};

/** The text of the value in what `reg query` prints; null if it is not there. */
export const readRegistryText = (printed: string): string | null =>
  /^\s+Policy\s+REG_(?:EXPAND_)?SZ\s+(\S.*?)\s*$/m.exec(printed)?.[1] ?? null;

function readText({ platform, exists, run }: ManagedSystem, place: string): string | null {
  if (platform === 'win32') {
    const program = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
    const printed = run(program, ['query', place, '/v', 'Policy', '/reg:64']);
    return printed === null ? null : readRegistryText(printed);
  }
  if (!exists(place)) return null;
  return run('/usr/bin/plutil', ['-extract', 'Policy', 'raw', '-o', '-', place]);
}

/**
 * Reads managed rules; null if there are none. Throws `policy_invalid` for rules that cannot be
 * read or enforced.
 */
export function readManagedRules(system: ManagedSystem = ownSystem): ManagedRules | null {
  const { platform } = system;
  if (platform !== 'win32' && platform !== 'darwin') return null;
  const place = platform === 'win32' ? registryKey : preferencesPath();
  let text: string | null;
  try {
    text = readText(system, place);
  } catch (error) {
    throw refuseRules(place, `${(error as Error).message}.`);
  }
  return text === null ? null : { place, config: parseRules(text, place) };
}
