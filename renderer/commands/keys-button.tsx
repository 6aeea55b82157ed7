// A button that shows the keyboard shortcuts, for screens with many of their own.
import { ActionIcon } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { openDialog } from './open-dialog.ts';

export const KeysButton = () => (
  <ActionIcon
    variant="default"
    size={30}
    aria-label="Keyboard shortcuts"
    onClick={() => openDialog('keys')}
  >
    <IconKeyboard size={16} aria-hidden />
  </ActionIcon>
);
