/** What is held about one person, with its export and its deletion. */

import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Fragment } from 'react';
import {
  type PersonHoldings,
  type PersonPlace,
  type PersonQuery,
  type PersonReceipt,
  personData,
} from '../../../engine/contract/person-data/person-data.ts';
import { useCall } from '../../api/live.ts';
import { showCount } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { showFailure } from '../../components/toast.ts';
import { DeletePerson } from './delete-person.tsx';
import { countEntries, identityLabels, treatmentLabels } from './person-words.ts';
import { saveJson } from './save-json.ts';

function PlaceRow({ place }: { place: PersonPlace }) {
  return (
    <Table.Tr>
      <Table.Td>
        <div>{place.place}</div>
        {place.advice !== '' && (
          <Text size="xs" c="dimmed" maw={520}>
            {place.advice}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{place.environment === 'staging' ? 'Staging' : 'Live'}</Table.Td>
      <Table.Td ta="right">{showCount(place.entries)}</Table.Td>
      <Table.Td>{treatmentLabels[place.treatment]}</Table.Td>
    </Table.Tr>
  );
}

/** Entries per place. */
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

/** The section about the picked person. */
export function HeldData({
  query,
  held,
  onDeleted,
}: {
  query: PersonQuery;
  held: PersonHoldings;
  onDeleted: (receipt: PersonReceipt) => void;
}) {
  const save = useCall(personData.exportAll, []);
  const download = () =>
    save.mutate(query, {
      onSuccess: (data) => saveJson(data, 'personal-data.json'),
      onError: (error) => showFailure('The data was not exported', error),
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
            variant="default"
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
