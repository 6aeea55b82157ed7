/**
 * Makes a key and shows it, this once.
 *
 *   asked ──made──> shown ──kept──> gone: the page has forgotten it, the engine kept its hash alone
 */
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { createKey } from '../../api/engine.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { type KeyFields, KeyForm } from './key-form.tsx';
import { OnceDialog, ShownOnce } from './shown-once.tsx';

/** The dialog. */
export function NewKey({
  opened,
  environment,
  onClose,
}: {
  opened: boolean;
  environment: EnvironmentName;
  onClose: () => void;
}) {
  const create = useChange((fields: KeyFields) => createKey(environment, fields), ['keys']);
  const created = create.data;
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <OnceDialog
      opened={opened}
      onClose={close}
      isShown={created !== undefined}
      title={created ? `The key “${created.label}”` : 'New key'}
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
    </OnceDialog>
  );
}
