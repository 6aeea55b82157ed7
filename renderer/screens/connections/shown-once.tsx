// A key or secret that is shown once, after its creation or rotation.
import { Alert, Button, Code, Group, Modal, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { Note } from '../../components/text.tsx';
import classes from './connections.module.css';

interface ShownOnceProps {
  secret: string;
  /** The secret's name on the copy button. */
  name: 'key' | 'secret';
  sentence: string;
  usage: string;
  onKept: () => void;
}

export function ShownOnce({ secret, name, sentence, usage, onKept }: ShownOnceProps) {
  return (
    <Stack gap="lg">
      <Alert
        color="indigo"
        icon={<IconKey size={18} aria-hidden />}
        title="Save it now. It will not be shown again"
        role="status"
      >
        {sentence}
      </Alert>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Code fz="sm" className={`${classes.line} ${classes.secret}`}>
          {secret}
        </Code>
        <CopyButton value={secret} label={`Copy the ${name}`} />
      </Group>
      <Note>{usage}</Note>
      <Group justify="flex-end">
        <Button variant="filled" onClick={onKept}>
          I’ve saved it
        </Button>
      </Group>
    </Stack>
  );
}

/**
 * A dialog that creates something with a secret. While the secret is shown, only its own button
 * closes the dialog, which then forgets the secret.
 *
 *   form ──created──> shown ──kept──> closed
 */
export function MakeOnceDialog<Made>({
  opened,
  make,
  title,
  form,
  shown,
  onClose,
}: {
  opened: boolean;
  /** The mutation that creates it, from `useChange`. */
  make: { readonly data: Made | undefined; reset(): void };
  title: (made: Made | undefined) => string;
  form: (onCancel: () => void) => ReactNode;
  shown: (made: Made, onKept: () => void) => ReactNode;
  onClose: () => void;
}) {
  const made = make.data;
  const isShown = made !== undefined;
  const close = () => {
    onClose();
    make.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title(made)}
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      {isShown ? shown(made, close) : form(close)}
    </Modal>
  );
}
