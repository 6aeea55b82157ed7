// Reads the table of screens from its source, for tests that run outside the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSource, root, type SyntaxNode } from './tidy/source.ts';

const path = 'renderer/screen-table.tsx';

export interface TableScreen {
  readonly path: string;
  readonly title: string;
  /** Whether it has an icon. */
  readonly isInSidebar: boolean;
}

interface Property {
  readonly key: { readonly name: string };
  readonly value: { readonly value?: unknown };
}

/** The screens of renderer/screen-table.tsx, in order. */
export function readScreenTable(): TableScreen[] {
  const { nodes } = parseSource(path, readFileSync(join(root, path), 'utf8'));
  const entries = nodes.filter(
    ({ type, callee }) => type === 'CallExpression' && (callee as SyntaxNode).name === 'screen',
  );
  return entries.map(({ arguments: given }) => {
    const [entry] = given as [{ properties: Property[] }];
    const values = new Map(entry.properties.map(({ key, value }) => [key.name, value.value]));
    return {
      path: String(values.get('path')),
      title: String(values.get('title')),
      isInSidebar: values.has('Icon'),
    };
  });
}
