/** The list of keyboard shortcuts. */
import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import { findDesktop } from '../api/desktop.ts';
import { isMac } from './is-mac.ts';
import { closeDialog } from './open-dialog.ts';
import classes from './palette.module.css';
import { menuGroup, nameOfKey, type Shortcut, shortcutGroups } from './shortcut-table.ts';

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
    <Modal
      opened
      onClose={closeDialog}
      returnFocus={false}
      size="lg"
      title="Keyboard shortcuts"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          Single keys work only while you are not typing in a field.
        </Text>
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
