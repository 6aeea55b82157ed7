/** Changes what an assistant's key may spend per request, and how it asks beyond that. */

import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent } from 'react';
import { assistants } from '../../../engine/contract/assistants/assistants.ts';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import type { Key } from '../../../engine/contract/keys.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showSuccess } from '../../components/toast.ts';
import { GuardInputs, useGuard } from './key-form.tsx';

function LimitForm({
  item,
  environment,
  onClose,
}: {
  item: Key;
  environment: EnvironmentName;
  onClose: () => void;
}) {
  const typed = useGuard(item);
  const change = useChange(
    () => ask(assistants.change, { id: item.id, ...typed.fields }, { environment: environment }),
    ['assistants', 'keys'],
  );
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!typed.isWhole) return;
    change.mutate(undefined, {
      onSuccess: () => {
        onClose();
        showSuccess(`“${item.label}” was changed. The limits apply from its next call.`);
      },
    });
  };
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="lg">
        <GuardInputs typed={typed} />
        <ErrorPanel title="The limits were not changed" error={change.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!typed.isWhole} loading={change.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The dialog; closed while `item` is null. */
export function AssistantLimits({
  item,
  environment,
  onClose,
}: {
  item: Key | null;
  environment: EnvironmentName;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={item !== null}
      onClose={onClose}
      title={item ? `Spending of “${item.label}”` : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {item && <LimitForm key={item.id} item={item} environment={environment} onClose={onClose} />}
    </Modal>
  );
}
