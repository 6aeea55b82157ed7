// What is held about one person, with its export and its deletion.
import { Button, Checkbox, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import {
  type PersonHoldings,
  type PersonPlace,
  type PersonQuery,
  type PersonReceipt,
  personData,
} from '../../../engine/contract/person-data/person-data.ts';
import { useCall } from '../../api/live.ts';
import { DialogForm } from '../../components/dialogs.tsx';
import { showCount } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { Caption } from '../../components/text.tsx';
import { countEntries, identityLabels, treatmentLabels } from './person-words.ts';
import { saveJson } from './save-json.ts';

const typed = 'delete';
const suppressWords =
  'Otherwise the next import of a list with the person adds the person again. ' +
  'The suppression list keeps the identifiers that it needs to recognise the person.';

interface DeletePersonProps {
  readonly query: PersonQuery;
  readonly held: PersonHoldings;
  readonly onDeleted: (receipt: PersonReceipt) => void;
}

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
  return (
    <DialogForm
      change={remove}
      isWhole={isConfirmed}
      act="Delete"
      color="red.9"
      gap="md"
      failed="The person was not deleted"
      onSubmit={() =>
        remove.mutate({ ...query, confirmed: true, suppress }, { onSuccess: onDeleted })
      }
      onClose={onClose}
    >
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
    </DialogForm>
  );
}

function DeletePerson(props: DeletePersonProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const { held } = props;
  return (
    <>
      <Button variant="filled" color="red.9" disabled={held.total === 0} onClick={open}>
        Delete this person…
      </Button>
      <Modal opened={opened} onClose={close} title={`Delete ${countEntries(held.total)}`}>
        <Question {...props} onClose={close} />
      </Modal>
    </>
  );
}

function PlaceRow({ place }: { place: PersonPlace }) {
  return (
    <Table.Tr>
      <Table.Td>
        <div>{place.place}</div>
        {place.advice !== '' && <Caption maw={520}>{place.advice}</Caption>}
      </Table.Td>
      <Table.Td>{place.environment === 'staging' ? 'Staging' : 'Live'}</Table.Td>
      <Table.Td ta="right">{showCount(place.entries)}</Table.Td>
      <Table.Td>{treatmentLabels[place.treatment]}</Table.Td>
    </Table.Tr>
  );
}

function PlacesTable({ places }: { places: readonly PersonPlace[] }) {
  return (
    <TableCard
      label="Places"
      columns={['Place', 'Environment', '>Entries', 'If deleted']}
      widthMinPx={560}
    >
      {places.map((place) => (
        <PlaceRow key={`${place.environment} ${place.place}`} place={place} />
      ))}
    </TableCard>
  );
}

function Identity({ person }: Pick<PersonHoldings, 'person'>) {
  const known = (Object.keys(identityLabels) as (keyof typeof identityLabels)[]).filter(
    (kind) => person[kind].length > 0,
  );
  return (
    <dl
      style={{
        display: 'grid',
        gridTemplateColumns: 'max-content 1fr',
        gap: '4px 16px',
        margin: 0,
      }}
    >
      {known.map((kind) => (
        <Fragment key={kind}>
          <Text component="dt" size="sm" c="dimmed">
            {identityLabels[kind]}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {person[kind].join(', ')}
          </Text>
        </Fragment>
      ))}
    </dl>
  );
}

interface HeldDataProps {
  query: PersonQuery;
  held: PersonHoldings;
  onDeleted: (receipt: PersonReceipt) => void;
}

export function HeldData({ query, held, onDeleted }: HeldDataProps) {
  const save = useCall(personData.exportAll, [], { failed: 'The data was not exported' });
  const download = () =>
    save.mutate(query, {
      onSuccess: (data) => saveJson(data, 'personal-data.json'),
    });
  const isEmpty = held.places.length === 0;
  return (
    <Section
      title={isEmpty ? 'No data about this person' : `Held: ${countEntries(held.total)}`}
      sentence="In all accounts and in staging, found by these values:"
    >
      <Stack gap="md">
        <Identity person={held.person} />
        {!isEmpty && <PlacesTable places={held.places} />}
        <Group gap="sm">
          <Button
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={save.isPending}
            disabled={isEmpty}
            onClick={download}
          >
            Export as JSON
          </Button>
          <DeletePerson query={query} held={held} onDeleted={onDeleted} />
        </Group>
      </Stack>
    </Section>
  );
}
