/**
 * A dialog that is open while it is mounted. The library returns the focus only from a dialog that
 * stays mounted when it closes.
 */
import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

export function OpenModal(props: Omit<ModalProps, 'opened'>) {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // After the elements of the dialog are gone.
      queueMicrotask(() => {
        const isFree = document.activeElement === document.body;
        if (isFree && before instanceof HTMLElement) before.focus({ preventScroll: true });
      });
    },
    [before],
  );
  return <Modal {...props} opened />;
}
