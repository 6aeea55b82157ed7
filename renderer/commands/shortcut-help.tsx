// The list of keyboard shortcuts.
import { Group, Kbd, Modal, Stack, Title } from '@mantine/core';
import { Fragment } from 'react';
import { menuKeys } from '../../engine/contract/desktop/menu-keys.ts';
import { findDesktop } from '../api/desktop.ts';
import { Note } from '../components/text.tsx';
import { isMac } from './is-mac.ts';
import { closeDialog } from './open-dialog.ts';
import classes from './palette.module.css';

/** Keys pressed together; several combinations do the same. `Mod` is Ctrl, on a Mac ⌘. */
interface Shortcut {
  readonly keys: readonly (readonly string[])[];
  readonly does: string;
}

interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

const menuGroup: ShortcutGroup = {
  title: 'App menu',
  shortcuts: Object.values(menuKeys).map(({ keys, does }) => ({ keys: [keys], does })),
};

/** All groups, the general ones first. */
const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: [['Mod', 'K']], does: 'Find a command, screen or job' },
      { keys: [['?']], does: 'Show this list' },
      { keys: [['Tab'], ['Shift', 'Tab']], does: 'Next or previous control' },
      { keys: [['Esc']], does: 'Close the dialog, menu or details' },
    ],
  },
  {
    title: 'Grids',
    shortcuts: [
      { keys: [['↑'], ['↓'], ['←'], ['→']], does: 'Move by a cell' },
      { keys: [['Page Up'], ['Page Down']], does: 'Move by a page' },
      { keys: [['Home'], ['End']], does: 'First or last column' },
      {
        keys: [
          ['Mod', 'Home'],
          ['Mod', 'End'],
        ],
        does: 'First or last row',
      },
      { keys: [['Mod', 'C']], does: 'Copy the selected cells' },
      { keys: [['Enter']], does: 'Open the row’s details' },
    ],
  },
  {
    title: 'Job rows',
    shortcuts: [
      { keys: [['F2'], ['Enter']], does: 'Before the start: correct your cell' },
      { keys: [['/']], does: 'Search the rows' },
      { keys: [['Shift', 'a move']], does: 'Select cells' },
      { keys: [['Mod', 'A']], does: 'Select all cells' },
      { keys: [['Esc']], does: 'Select one cell again' },
      { keys: [['Shift', 'F10']], does: 'Open the row’s menu' },
      { keys: [['↑']], does: 'In the first row: go to the header' },
      { keys: [['Enter']], does: 'In the header: sort by the column' },
      {
        keys: [
          ['Alt', '←'],
          ['Alt', '→'],
        ],
        does: 'In the header: move the column',
      },
      {
        keys: [
          ['Shift', '←'],
          ['Shift', '→'],
        ],
        does: 'In the header: make the column narrower or wider',
      },
    ],
  },
  {
    title: 'People found',
    shortcuts: [{ keys: [['Space']], does: 'Select the person in the row' }],
  },
  {
    title: 'Row details',
    shortcuts: [{ keys: [['↑'], ['↓']], does: 'Previous or next row' }],
  },
  {
    title: 'Review',
    shortcuts: [
      {
        keys: [['1'], ['2'], ['3']],
        does: 'Choose this candidate, or “Yes” if it is the only one',
      },
      { keys: [['0']], does: 'None of them, or “No”' },
      { keys: [['S']], does: 'Skip the row for now' },
      { keys: [['G']], does: 'At the end: go through the skipped rows' },
      { keys: [['U'], ['Mod', 'Z']], does: 'Undo the last choice' },
    ],
  },
];

const nameOfKey = (key: string, isMac: boolean): string =>
  key === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : key;

function Keys({ keys }: Pick<Shortcut, 'keys'>) {
  const mac = isMac();
  return (
    <Group gap={4} component="span">
      {keys.map((together, place) => (
        <Fragment key={together.join()}>
          {place > 0 && <span aria-hidden>or</span>}
          {together.map((key) => (
            <Kbd key={key} size="sm">
              {nameOfKey(key, mac)}
            </Kbd>
          ))}
        </Fragment>
      ))}
    </Group>
  );
}

export default function ShortcutHelp() {
  return (
    <Modal opened onClose={closeDialog} returnFocus={false} size="lg" title="Keyboard shortcuts">
      <Stack gap="lg">
        <Note>Single keys work only while you are not typing in a field.</Note>
        {[...shortcutGroups, ...(findDesktop() ? [menuGroup] : [])].map(({ title, shortcuts }) => (
          <section key={title} aria-label={title}>
            <Title order={3}>{title}</Title>
            <dl className={classes.keys}>
              {shortcuts.map(({ keys, does }) => (
                <Fragment key={does}>
                  <dt>
                    <Keys keys={keys} />
                  </dt>
                  <dd>{does}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </Stack>
    </Modal>
  );
}
