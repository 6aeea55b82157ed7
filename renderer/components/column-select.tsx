// Selects the file column of a field. The clear button also works by keyboard.
import { Select } from '@mantine/core';
import { useId } from 'react';

/** Number of options listed at once. Typing finds the others. */
const optionsShown = 100;

interface ColumnSelectProps {
  label: string;
  placeholder: string;
  clearLabel: string;
  /** The columns; a plain string is its own label. */
  data: readonly string[] | readonly { value: string; label: string }[];
  value: string | null;
  onChange: (value: string | null) => void;
}

/** The select; `clearLabel` is the name of its clear button. */
export function ColumnSelect({ clearLabel, ...others }: ColumnSelectProps) {
  const id = useId();
  return (
    <Select
      {...others}
      id={id}
      size="sm"
      clearable
      searchable
      openOnFocus={false}
      // Enter selects the first match of the typed text. Without the second option, the library
      // forgets the highlighted one shortly after opening.
      selectFirstOptionOnChange
      selectFirstOptionOnDropdownOpen
      limit={optionsShown}
      nothingFoundMessage="No such column"
      clearButtonProps={{
        'aria-label': clearLabel,
        // The library hides this button from keyboards and screen readers.
        'aria-hidden': false,
        tabIndex: 0,
        onClick: () => document.getElementById(id)?.focus(),
      }}
    />
  );
}
