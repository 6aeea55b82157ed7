// What dialogs have in common: that they are open while they are mounted, and forms.
import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ErrorPanel } from './error-panel.tsx';

/** A dialog that is open while it is mounted. */
export function OpenModal(props: Omit<ModalProps, 'opened'>) {
  return <Modal {...props} opened />;
}

export interface DialogFormProps {
  readonly act: string;
  readonly color?: string;
  readonly gap?: 'md' | 'lg';
  /** Whether the form can be submitted. */
  readonly isWhole?: boolean;
  /** The change that is submitted, and the title of its failure. */
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly failed: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function DialogForm(props: DialogFormProps) {
  const { act, color, gap = 'lg', isWhole = true, change, failed } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole) props.onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={gap}>
        {props.children}
        <ErrorPanel title={failed} error={change.error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            variant="filled"
            type="submit"
            {...(color && { color })}
            disabled={!isWhole}
            loading={change.isPending}
          >
            {act}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
