// The field that finds people or companies by a text.
import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { startTransition, useState } from 'react';
import { searchTextCharactersMax } from '../../../engine/contract/limits/directory.ts';

export const peopleField = 'Name, company, email or domain';

interface SearchFieldProps {
  label: string;
  text: string;
  onText: (text: string) => void;
}

/** The field shows each key at once. Its screen follows in short tasks, so typing is smooth. */
export function SearchField({ label, text, onText }: SearchFieldProps) {
  /** What was typed; null once the screen has it. */
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? text;
  const type = (next: string) => {
    setTyped(next);
    startTransition(() => {
      onText(next);
      setTyped((latest) => (latest === next ? null : latest));
    });
  };
  const clear = () => {
    setTyped(null);
    onText('');
  };
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      mb="sm"
      maxLength={searchTextCharactersMax}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        shown === '' ? null : (
          <CloseButton size="sm" aria-label="Clear the search" onClick={clear} />
        )
      }
      value={shown}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') clear();
      }}
    />
  );
}
