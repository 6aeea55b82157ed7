// A button for an irreversible action: it says what will happen and asks once.
import { Button, type ButtonProps, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

export interface ConfirmButtonProps extends ButtonProps {
  readonly children: ReactNode;
  readonly title: string;
  readonly sentence: ReactNode;
  /** The label of the confirming button: the verb, never "OK". */
  readonly act: string;
  /** The label of the other button; "Keep it" if omitted. */
  readonly keep?: string;
  readonly onConfirm: () => void;
}

export function ConfirmButton({
  title,
  sentence,
  act,
  keep = 'Keep it',
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
      <Modal opened={opened} onClose={close} title={title}>
        <Text component="div">{sentence}</Text>
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button onClick={close} data-autofocus>
            {keep}
          </Button>
          <Button
            variant="filled"
            // The library's red has too little contrast with white text.
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
