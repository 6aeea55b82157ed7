/** Names a key anew and changes what it may do. */
import { Modal } from '@mantine/core';
import type { Key } from '../../../engine/contract/app.ts';
import type { WorldName } from '../../../engine/contract/ids.ts';
import { changeKey } from '../../api/engine.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { tellDone } from '../../components/tell.ts';
import { type KeyFields, KeyForm } from './key-form.tsx';

/** The dialog; closed where `item` is null. */
export function EditKey({
  item,
  world,
  onClose,
}: {
  item: Key | null;
  world: WorldName;
  onClose: () => void;
}) {
  const change = useChange(
    ({ id, fields }: { id: string; fields: KeyFields }) => changeKey(world, id, fields),
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
          tellDone(`“${label}” was changed, from its next request on.`);
        },
      },
    );
  return (
    <Modal
      opened={item !== null}
      onClose={close}
      title="Edit the key"
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
          {change.error && <ErrorPanel title="The key was not changed" error={change.error} />}
        </KeyForm>
      )}
    </Modal>
  );
}
