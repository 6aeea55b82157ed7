/** Deletes a person after a typed confirmation, and offers to suppress the person too. */

import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import {
  type PersonHoldings,
  type PersonQuery,
  type PersonReceipt,
  personData,
} from '../../../engine/contract/person-data/person-data.ts';
import { useCall } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countEntries } from './person-words.ts';

const typed = 'delete';
const suppressWords =
  'Otherwise the next import of a list with the person adds the person again. ' +
  'The suppression list keeps the identifiers that it needs to recognise the person.';

interface DeletePersonProps {
  readonly query: PersonQuery;
  readonly held: PersonHoldings;
  readonly onDeleted: (receipt: PersonReceipt) => void;
}

/** The question: what is kept, whether to suppress, and the typed confirmation. */
function Question({ query, onDeleted, onClose }: DeletePersonProps & { onClose: () => void }) {
  const [text, setText] = useState('');
  const [suppress, setSuppress] = useState(true);
  const remove = useCall(personData.deletePerson, [
    'person-receipts',
    'jobs',
    'rows',
    'found-people',
  ]);
  const isConfirmed = text.trim().toLowerCase() === typed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed)
      remove.mutate({ ...query, confirmed: true, suppress }, { onSuccess: onDeleted });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          This cannot be undone. Rows of lists keep their position without their values. Credits and
          counts stay. Backups are not changed.
        </Text>
        <Checkbox
          label="Add the person to the suppression list"
          description={suppressWords}
          checked={suppress}
          onChange={(event) => setSuppress(event.currentTarget.checked)}
        />
        <TextInput
          label={`Type "${typed}" to confirm`}
          data-autofocus
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ErrorPanel title="The person was not deleted" error={remove.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" disabled={!isConfirmed} loading={remove.isPending}>
            Delete
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function DeletePerson(props: DeletePersonProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const { held } = props;
  return (
    <>
      <Button color="red.9" disabled={held.total === 0} onClick={open}>
        Delete this person…
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={`Delete ${countEntries(held.total)}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Question {...props} onClose={close} />
      </Modal>
    </>
  );
}
