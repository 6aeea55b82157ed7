// Lines of the values in a JSON text, so that a fault in a file can be shown at its line.
import { type AnyNode, parse, type ValueNode } from '@humanwhocodes/momoa';

/** A position in a JSON value: keys of objects and positions in arrays. */
export type JsonPath = readonly PropertyKey[];

export interface LocatedJson {
  /** The line of the value at a path, or of the deepest part of the path that exists. From 1. */
  lineAt(path: JsonPath): number;
  /** Keys that an object has twice, with the line of the second. */
  readonly duplicates: readonly { readonly key: string; readonly line: number }[];
}

export class JsonTextError extends Error {
  override name = 'JsonTextError';
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const keyOf = (name: { type: string; value?: unknown; name?: unknown }): string =>
  String(name.type === 'String' ? name.value : name.name);

/** The node of a key or position inside a value; undefined if it has none. */
function findChild(node: ValueNode, step: PropertyKey): AnyNode | undefined {
  if (node.type === 'Object') return node.members.find(({ name }) => keyOf(name) === step);
  return node.type === 'Array' ? node.elements[Number(step)] : undefined;
}

const innerValue = (node: AnyNode): ValueNode =>
  node.type === 'Member' || node.type === 'Element' ? node.value : (node as ValueNode);

function* listDuplicates(node: ValueNode): Generator<{ key: string; line: number }> {
  const seen = new Set<string>();
  for (const child of node.type === 'Object' ? node.members : []) {
    const key = keyOf(child.name);
    if (seen.has(key)) yield { key, line: child.loc.start.line };
    seen.add(key);
    yield* listDuplicates(child.value);
  }
  for (const child of node.type === 'Array' ? node.elements : [])
    yield* listDuplicates(child.value);
}

/** Parses a JSON text. Throws JsonTextError with the line of the first fault. */
export function locateJson(text: string): LocatedJson {
  let root: ValueNode;
  try {
    root = parse(text, { mode: 'json' }).body;
  } catch (error) {
    const { message, line = 1 } = error as Error & { line?: number };
    throw new JsonTextError(message.replace(/ \(\d+:\d+\)$/, ''), line);
  }
  return {
    lineAt(path) {
      let node: AnyNode = root;
      for (const step of path) {
        const child = findChild(innerValue(node), step);
        if (!child) break;
        node = child;
      }
      return node.loc.start.line;
    },
    duplicates: [...listDuplicates(root)],
  };
}
