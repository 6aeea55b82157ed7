/**
 * Makes a key and shows it, this once.
 *
 *   asked ──made──> shown ──kept──> gone: the page has forgotten it, the engine kept its hash alone
 */
import { Modal } from '@mantine/core';
import type { WorldName } from '../../../engine/contract/ids.ts';
import { createKey } from '../../api/engine.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { type KeyFields, KeyForm } from './key-form.tsx';
import { ShownOnce } from './shown-once.tsx';

/** The dialog. While the key is shown it closes by its own button alone. */
export function NewKey({
  opened,
  world,
  onClose,
}: {
  opened: boolean;
  world: WorldName;
  onClose: () => void;
}) {
  const create = useChange((fields: KeyFields) => createKey(world, fields), ['keys']);
  const created = create.data;
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={created ? `The key “${created.label}”` : 'New key'}
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      {created ? (
        <ShownOnce
          secret={created.key}
          name="key"
          sentence={
            'Only its hash is kept here. Put the key where your program reads it; a lost one is ' +
            'revoked and replaced.'
          }
          usage="Send it as Authorization: Token <API_KEY> with every request."
          onKept={close}
        />
      ) : (
        <KeyForm
          initial={null}
          act="Make the key"
          isPending={create.isPending}
          onSubmit={(fields) => create.mutate(fields)}
          onCancel={close}
        >
          {create.error && <ErrorPanel title="No key was made" error={create.error} />}
        </KeyForm>
      )}
    </Modal>
  );
}
