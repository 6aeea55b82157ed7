/** A button whose act cannot be taken back: it says what will happen and asks once. */
import { Button, type ButtonProps, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** What is asked before the act. */
export interface ConfirmButtonProps extends ButtonProps {
  readonly children: ReactNode;
  readonly title: string;
  readonly sentence: ReactNode;
  /** The word on the button that acts: the verb itself, never "OK". */
  readonly act: string;
  readonly onConfirm: () => void;
}

/** Asks, then acts. */
export function ConfirmButton({
  title,
  sentence,
  act,
  onConfirm,
  children,
  ...button
}: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {children}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Text component="div">{sentence}</Text>
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            Keep it
          </Button>
          <Button
            // The library's own red is too pale under white words.
            color="red.9"
            onClick={() => {
              close();
              onConfirm();
            }}
          >
            {act}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
