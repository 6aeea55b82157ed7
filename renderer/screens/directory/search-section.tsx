/** The frame of a search: its heading, the number of results, its text, and a way to clear it. */
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countOf } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { noSearch, type TypedSearch } from './kept-search.ts';
import { SearchField } from './search-field.tsx';
import { filtersOf } from './search-filters.tsx';

/** One and several of what is searched for. */
export type Nouns = readonly [one: string, many: string];

export function SearchSection({
  title,
  sentence,
  nouns,
  total,
  field,
  typed,
  onTyped,
  action,
  children,
}: {
  title: string;
  sentence: string;
  nouns: Nouns;
  total: number | undefined;
  /** The field of the text: its label, and examples. */
  field: { readonly label: string; readonly example: string };
  typed: TypedSearch;
  onTyped: (typed: TypedSearch) => void;
  action?: ReactNode;
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
            {total === undefined ? '' : `${countOf(total, ...nouns)} found`}
          </Text>
          <Button
            size="xs"
            variant="default"
            disabled={!isNarrowed}
            onClick={() => onTyped(noSearch)}
          >
            Clear filters
          </Button>
          {action}
        </Group>
      }
    >
      <SearchField {...field} text={text} onText={(next) => onTyped({ ...typed, text: next })} />
      {children}
    </Section>
  );
}
