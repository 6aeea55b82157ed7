/** The choice of a file's column for one field, taken back by keys as well. */
import { Select } from '@mantine/core';
import { useId } from 'react';

/** A wide file's other columns are found by typing. */
const optionsShown = 100;

/** The choice; `clearLabel` says what taking it back does. */
export function ColumnSelect({
  clearLabel,
  ...others
}: {
  label: string;
  placeholder: string;
  clearLabel: string;
  /** The columns; a value alone is its own label. */
  data: readonly string[] | readonly { value: string; label: string }[];
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const id = useId();
  return (
    <Select
      {...others}
      id={id}
      size="sm"
      clearable
      searchable
      openOnFocus={false}
      // What is typed takes Enter. Otherwise the library forgets, a moment after it opened, which
      // option the keys had come to.
      selectFirstOptionOnChange
      selectFirstOptionOnDropdownOpen
      limit={optionsShown}
      nothingFoundMessage="No such column"
      clearButtonProps={{
        'aria-label': clearLabel,
        // The library hides this button from keys and screen readers.
        'aria-hidden': false,
        tabIndex: 0,
        onClick: () => document.getElementById(id)?.focus(),
      }}
    />
  );
}
