// Combines the rules of all sources. The order of strength: rules of a device management system,
// the policy file of the machine, the `team.json` that was packed into the app, the one next to the
// app; the account's own settings come last. A stronger source replaces single rules of a weaker
// one.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { managedRulesMaxMs } from '../contract/limits/team.ts';
import {
  type Organisation,
  type RuleInForce,
  type RuleSource,
  ruledSettings,
  type TeamConfig,
} from '../contract/team/team-config.ts';
import { engineDir, resourcesDir } from '../platform/paths.ts';
import { parseRules, readRuleFile, refuseRules } from './rule-file.ts';
import { listTeamPlaces, policyPath, preferencesPath, registryKey } from './rule-places.ts';

// Rules that a device management system sets: a value of the Windows registry, or the managed
// preferences of macOS. Both are read by a program of the system.

interface ManagedRules {
  readonly place: string;
  readonly config: TeamConfig;
}

interface ManagedSystem {
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

/** Null if there are none. Throws `policy_invalid` for rules that cannot be enforced. */
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

export interface RuleLayer extends RuleSource {
  readonly config: TeamConfig;
}

export interface TeamRules {
  readonly config: TeamConfig;
  readonly sources: readonly RuleSource[];
  readonly rules: readonly RuleInForce[];
}

type Tree = { readonly [name: string]: unknown };

/** Parts of the configuration that only hold together, so that they are replaced as a whole. */
const wholes = new Set(['upstream', 'providers']);

const isBranch = (path: readonly string[], value: unknown): value is Tree =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !('binding' in value) &&
  !wholes.has(path.join('.'));

function listRules(tree: Tree, path: readonly string[] = []): [path: string[], value: unknown][] {
  return Object.entries(tree).flatMap(([name, value]): [string[], unknown][] => {
    const inner = [...path, name];
    if (value === undefined) return [];
    return isBranch(inner, value) ? listRules(value, inner) : [[inner, value]];
  });
}

function put(tree: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    tree[first] = value;
    return;
  }
  const inner = (tree[first] ?? {}) as Record<string, unknown>;
  tree[first] = inner;
  put(inner, rest, value);
}

const isLocked = (path: readonly string[], value: unknown): boolean => {
  if (path[0] === 'organisation') return false;
  const { binding } = (value ?? {}) as { binding?: string };
  return binding !== 'default';
};

/** Combines layers. @param layers the strongest first */
export function combineRules(layers: readonly RuleLayer[]): TeamRules {
  const config: Record<string, unknown> = {};
  const rules = new Map<string, RuleInForce>();
  for (const { config: layer, kind, place } of layers)
    for (const [path, value] of listRules(layer as Tree)) {
      const name = path.join('.');
      if (rules.has(name)) continue;
      put(config, path, value);
      const source = { kind, place };
      const text = JSON.stringify(value);
      rules.set(name, { path: name, value: text, is_locked: isLocked(path, value), source });
    }
  return {
    config: config as TeamConfig,
    sources: layers.map(({ kind, place }) => ({ kind, place })),
    rules: [...rules.values()].sort((one, other) => (one.path < other.path ? -1 : 1)),
  };
}

export const rulesOf = (config: TeamConfig): TeamRules =>
  combineRules(
    Object.keys(config).length === 0 ? [] : [{ kind: 'policy_file', place: policyPath(), config }],
  );

export interface RulePlaces {
  readManaged(): ManagedRules | null;
  readonly policyFile: string;
  readonly packed: string;
  readonly appFolder: readonly string[];
}

const ownPlaces = (): RulePlaces => ({
  readManaged: () => readManagedRules(),
  policyFile: policyPath(),
  packed: join(resourcesDir(), 'team.json'),
  appFolder: listTeamPlaces(engineDir),
});

/**
 * Reads the rules of every source. Throws `policy_invalid` if one of them cannot be read or
 * enforced: an engine must not start with a part of the rules.
 */
export function readTeamRules(places: RulePlaces = ownPlaces()): TeamRules {
  const layers: RuleLayer[] = [];
  const managed = places.readManaged();
  if (managed) layers.push({ kind: 'managed', ...managed });
  const add = (kind: RuleSource['kind'], place: string) => {
    const config = readRuleFile(place, kind === 'packed');
    if (config) layers.push({ kind, place, config });
  };
  add('policy_file', places.policyFile);
  add('packed', places.packed);
  for (const place of places.appFolder) add('app_folder', place);
  return combineRules(layers);
}

/** The rules as the app and `desk config` show them. */
export const presentRules = ({ config, sources, rules }: TeamRules): Organisation => ({
  name: config.organisation ?? null,
  upstream: config.upstream?.address ?? null,
  allowed_providers: config.providers?.allowed ?? null,
  sources: [...sources],
  rules: [...rules],
});

export function describeRules({ sources, rules }: TeamRules): string {
  if (sources.length === 0) return 'sets no rules';
  const count = rules.filter((rule) => rule.is_locked).length;
  const places = sources.map(({ place }) => place).join(', ');
  return `${rules.length} rules, ${count} of them fixed, from ${places}`;
}

export function listSettings(
  { settings = {} }: TeamConfig,
  bindings: readonly ('fixed' | 'default')[],
): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    ruledSettings.flatMap((name) => {
      const ruled = settings[name];
      return ruled && bindings.includes(ruled.binding) ? [[name, ruled.value]] : [];
    }),
  );
}
