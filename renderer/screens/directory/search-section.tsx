// The frame of a search: its heading, the number of results, its text, and a way to clear it.
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countOf } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { noFilters } from './chosen-filters.ts';
import type { ChangeSearch, TypedSearch } from './kept-search.ts';
import { SearchField } from './search-field.tsx';
import { filtersOf } from './search-filters.tsx';

export type Nouns = readonly [one: string, many: string];

const sayFound = (total: number, isEstimate: boolean, nouns: Nouns): string =>
  `${isEstimate ? 'About ' : ''}${countOf(total, ...nouns)} found`;

export function SearchSection({
  title,
  sentence,
  nouns,
  total,
  isEstimate = false,
  field,
  typed,
  onChange,
  action,
  choice,
  children,
}: {
  title: string;
  sentence: string;
  nouns: Nouns;
  total: number | undefined;
  isEstimate?: boolean;
  /** What the field of the text says. */
  field: string;
  typed: TypedSearch;
  onChange: ChangeSearch;
  action?: ReactNode;
  /** Above the text: where is searched. */
  choice?: ReactNode;
  children: ReactNode;
}) {
  const { text, chosen } = typed;
  const isNarrowed = text.trim() !== '' || Object.keys(filtersOf(chosen)).length > 0;
  return (
    <Section
      title={title}
      sentence={sentence}
      action={
        <Group gap="sm">
          <Text size="sm" className="numbers" role="status">
            {total === undefined ? '' : sayFound(total, isEstimate, nouns)}
          </Text>
          {isNarrowed && (
            <Button size="xs" onClick={() => onChange({ text: '', chosen: noFilters })}>
              Clear filters
            </Button>
          )}
          {action}
        </Group>
      }
    >
      {choice}
      <SearchField label={field} text={text} onText={(next) => onChange({ text: next })} />
      {children}
    </Section>
  );
}
