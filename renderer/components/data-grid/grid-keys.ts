/** The keys of a grid of rows, for its handlers and for the help. */

/** A key or a combination, and what it does. */
export interface GridKey {
  /** As shown, such as `Ctrl C`; `Ctrl` is Cmd on a Mac. */
  readonly keys: string;
  readonly what: string;
}

/** Every key of the grid of a job, in the order of the help. */
export const gridKeys: readonly GridKey[] = [
  { keys: '↑ ↓ ← →', what: 'Move to the next cell' },
  { keys: 'Page Up, Page Down', what: 'Move by one screen of rows' },
  { keys: 'Home, End', what: 'Move to the first or last column' },
  { keys: 'Ctrl Home, Ctrl End', what: 'Move to the first or last row' },
  { keys: 'Shift with a move', what: 'Select cells' },
  { keys: 'Ctrl A', what: 'Select all cells' },
  { keys: 'Ctrl C', what: 'Copy the selected cells' },
  { keys: 'Enter', what: 'Open the details of the row; in the header, sort by the column' },
  { keys: 'Shift F10', what: 'Open the menu of the row' },
  { keys: '↑ in the first row', what: 'Move to the header' },
  { keys: 'Alt ← →, in the header', what: 'Move the column' },
  { keys: 'Shift ← →, in the header', what: 'Make the column narrower or wider' },
  { keys: 'Esc', what: 'Select one cell again' },
  { keys: '/', what: 'Search the rows' },
];
