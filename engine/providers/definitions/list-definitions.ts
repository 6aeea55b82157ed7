// The definition files: those of the product, and the user's own in the folder `providers` of the
// data folder. An own file replaces the shipped one with the same name.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { resourcesDir } from '../../platform/paths.ts';
import { defineDesk, deskProviderId } from '../desk/desk-definition.ts';
import { type CheckedDefinition, checkDefinition } from './check-definition.ts';

export interface ListedDefinition {
  /** The name of the file without `.json`. */
  readonly id: string;
  readonly origin: 'shipped' | 'own';
  readonly path: string;
  readonly checked: CheckedDefinition;
}

/** The folder of the user's own definitions. It need not exist. */
export const ownDefinitionsDir = (dataDir: string): string => join(dataDir, 'providers');

function readFolder(folder: string, origin: ListedDefinition['origin']): ListedDefinition[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const path = join(folder, name);
      const id = basename(name, '.json');
      return { id, origin, path, checked: readDefinition(path, id, origin === 'shipped') };
    });
}

/** Checks of shipped files, by path. They take milliseconds each, and the files seldom change. */
const checks = new Map<string, { readonly text: string; readonly checked: CheckedDefinition }>();

function checkOnce(path: string, id: string, text: string, isShipped: boolean): CheckedDefinition {
  const known = checks.get(path);
  if (known?.text === text) return known.checked;
  const checked = checkDefinition(text, id, isShipped);
  if (isShipped) checks.set(path, { text, checked });
  return checked;
}

/** A file that cannot be read is a faulty definition: it must not keep the others from use. */
function readDefinition(path: string, id: string, isShipped: boolean): CheckedDefinition {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { definition: null, faults: [{ line: 1, what: `the file cannot be read (${code})` }] };
  }
  return checkOnce(path, id, text, isShipped);
}

/** Every definition file, checked. Throws the errors of reading a folder. */
export function listDefinitions(dataDir: string): ListedDefinition[] {
  const shipped = readFolder(join(resourcesDir(), 'providers'), 'shipped');
  const own = readFolder(ownDefinitionsDir(dataDir), 'own');
  const desk = { id: deskProviderId, client: 'desk', prices: {} } as const;
  const checked: CheckedDefinition = { definition: defineDesk(desk), faults: [] };
  shipped.push({ id: desk.id, origin: 'shipped', path: '', checked });
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...shipped.filter(({ id }) => !ids.has(id))].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
}
