/** Renames a key and changes its limits. */

import { Modal } from '@mantine/core';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { type Key, keys } from '../../../engine/contract/keys.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showSuccess } from '../../components/toast.ts';
import { type KeyFields, KeyForm } from './key-form.tsx';

/** The dialog; closed while `item` is null. */
export function EditKey({
  item,
  environment,
  onClose,
}: {
  item: Key | null;
  environment: EnvironmentName;
  onClose: () => void;
}) {
  const change = useChange(
    ({ id, fields }: { id: string; fields: KeyFields }) =>
      ask(keys.change, { id, ...fields }, { environment: environment }),
    ['keys', 'assistants'],
  );
  const close = () => {
    onClose();
    change.reset();
  };
  const save = (fields: KeyFields) =>
    item &&
    change.mutate(
      { id: item.id, fields },
      {
        onSuccess: ({ label }) => {
          close();
          showSuccess(`“${label}” was changed. The change applies from its next request.`);
        },
      },
    );
  return (
    <Modal
      opened={item !== null}
      onClose={close}
      title="Edit key"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {item && (
        <KeyForm
          key={item.id}
          initial={item}
          act="Save"
          isPending={change.isPending}
          onSubmit={save}
          onCancel={close}
        >
          <ErrorPanel title="The key was not changed" error={change.error} />
        </KeyForm>
      )}
    </Modal>
  );
}
