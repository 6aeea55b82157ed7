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
  /** Why nothing is left to ask. It hides the button, and an open question says it instead. */
  readonly tooLate?: string | undefined;
  readonly onConfirm: () => void;
}

export function ConfirmButton({
  title,
  sentence,
  act,
  keep = 'Keep it',
  tooLate,
  onConfirm,
  children,
  ...button
}: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure(false);
  // A question that was answered keeps its words while it closes.
  const isTooLate = opened && tooLate !== undefined;
  return (
    <>
      {tooLate === undefined && (
        <Button variant="default" {...button} onClick={open}>
          {children}
        </Button>
      )}
      <Modal opened={opened} onClose={close} title={title}>
        <Text component="div" aria-live="polite">
          {isTooLate ? tooLate : sentence}
        </Text>
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button onClick={close} data-autofocus>
            {isTooLate ? 'Close' : keep}
          </Button>
          {!isTooLate && (
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
          )}
        </Group>
      </Modal>
    </>
  );
}
