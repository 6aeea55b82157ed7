/** Creates a key and shows it once: the engine stores only its hash. */

import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { keys } from '../../../engine/contract/keys.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { type KeyFields, KeyForm } from './key-form.tsx';
import { MakeOnceDialog, ShownOnce } from './shown-once.tsx';

export function NewKey({
  opened,
  environment,
  onClose,
}: {
  opened: boolean;
  environment: EnvironmentName;
  onClose: () => void;
}) {
  const create = useChange(
    (fields: KeyFields) => ask(keys.create, fields, { environment: environment }),
    ['keys'],
  );
  return (
    <MakeOnceDialog
      opened={opened}
      onClose={onClose}
      make={create}
      title={(made) => (made ? `The key “${made.label}”` : 'New key')}
      form={(onCancel) => (
        <KeyForm
          initial={null}
          act="Create key"
          isPending={create.isPending}
          onSubmit={(fields) => create.mutate(fields)}
          onCancel={onCancel}
        >
          <ErrorPanel title="The key was not created" error={create.error} />
        </KeyForm>
      )}
      shown={({ key }, onKept) => (
        <ShownOnce
          secret={key}
          name="key"
          sentence={
            'Only its hash is stored. Save the key where your program reads it. If you lose it, ' +
            'revoke it and create a new one.'
          }
          usage="Send it as Authorization: Token <API_KEY> with every request."
          onKept={onKept}
        />
      )}
    />
  );
}
