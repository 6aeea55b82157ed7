/** The field that finds people or companies by a text. */
import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { searchTextCharactersMax } from '../../../engine/contract/limits/directory.ts';

/** What the field of people says. */
export const peopleField = {
  label: 'Name, company, email or domain',
  example: 'ada love, acme, ada@acme.com, acme.com',
};

export function SearchField({
  label,
  example,
  text,
  onText,
}: {
  label: string;
  example: string;
  text: string;
  onText: (text: string) => void;
}) {
  return (
    <TextInput
      label={label}
      placeholder={example}
      autoComplete="off"
      spellCheck={false}
      mb="md"
      maxLength={searchTextCharactersMax}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? null : (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => onText('')} />
        )
      }
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onText('');
      }}
    />
  );
}
