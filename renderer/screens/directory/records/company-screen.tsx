// One company of the directory: its people, values with sources, other names, and suppression.
import { Anchor, Group, Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useSearch } from 'wouter';
import { type CompanyRecord, records } from '../../../../engine/contract/records/records.ts';
import type { SearchedDirectory } from '../../../../engine/contract/search.ts';
import { useDirectory } from '../../../api/directory.ts';
import { useAnswer } from '../../../api/live.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Monogram } from '../../../components/monogram.tsx';
import { countOf } from '../../../components/numbers.ts';
import { Page } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { SuppressButton } from '../../../components/suppress-button.tsx';
import { Note, ScreenLink } from '../../../components/text.tsx';
import { PeopleGrid } from '../found-grid.tsx';
import { FoundResults } from '../found-list.tsx';
import { useFoundPeople } from '../found-people.ts';
import { RecordDuplicates, RecordValues } from './record-values.tsx';

interface StaffProps {
  id: string;
  generation: number;
  directory: SearchedDirectory;
}

function Staff({ id, generation, directory }: StaffProps) {
  const wanted = useMemo(() => ({ company_id: id }), [id]);
  const found = useFoundPeople(wanted, generation, directory);
  const { total } = found;
  return (
    <Section
      title={total ? countOf(total, 'person', 'people') : 'People'}
      sentence="Their current or last known employer is this company."
    >
      <FoundResults
        total={total}
        error={found.error}
        onRetry={() => void found.retry()}
        none={<Note>No one on file works here.</Note>}
      >
        {() => (
          <PeopleGrid
            label="People of the company"
            found={found}
            total={found.rows}
            directory={directory}
          />
        )}
      </FoundResults>
    </Section>
  );
}

interface CompanyProps {
  company: CompanyRecord;
  directory: SearchedDirectory;
}

/** @param props.directory whose company it is */
function Company({ company, directory: searched }: CompanyProps) {
  const { data: directory } = useDirectory();
  const { name, domain, other_names: names, other_domains: domains } = company;
  return (
    <Page
      title={
        <Group gap="sm" component="span" wrap="nowrap">
          <Monogram title={name} />
          <bdi>{name}</bdi>
        </Group>
      }
      sentence={
        domain === null ? (
          'No domain is on file.'
        ) : (
          <Anchor href={`https://${domain}`} target="_blank" rel="noreferrer" size="sm">
            {domain}
          </Anchor>
        )
      }
      action={
        <SuppressButton
          values={[
            { kind: 'company', value: name },
            ...(domain === null ? [] : [{ kind: 'domain' as const, value: domain }]),
          ]}
          what="company"
        />
      }
    >
      <ScreenLink href="/directory/companies">All companies</ScreenLink>
      {searched === 'team' && (
        <Note mt="xs">
          This company is in the team’s directory. Lists of this computer do not change it.
        </Note>
      )}
      {directory && (
        <Staff id={company.id} generation={directory.generation} directory={searched} />
      )}
      <Section title="Values" sentence="Every value shows its source and date.">
        <RecordValues label="Values of the company" values={company.values} />
        {names.length > 0 && (
          <Text size="sm" mt="sm">
            Other names: {names.join(', ')}
          </Text>
        )}
        {domains.length > 0 && (
          <Text size="sm" mt="sm">
            Other domains: {domains.join(', ')}
          </Text>
        )}
      </Section>
      {searched === 'own' && <RecordDuplicates duplicates={company.duplicates} />}
    </Page>
  );
}

export function CompanyScreen({ id }: { id: string }) {
  const isTeam = new URLSearchParams(useSearch()).get('directory') === 'team';
  const directory = isTeam ? 'team' : 'own';
  const { data, error, refetch } = useAnswer(
    ['found-people', 'company', directory, id],
    records.company,
    {
      input: {
        id,
        directory: directory === 'own' ? undefined : directory,
      },
    },
  );
  if (data && !error) return <Company company={data} directory={directory} />;
  return (
    <Page title="Company">
      {error ? (
        <>
          <ErrorPanel title="The company could not be loaded" error={error} onRetry={refetch} />
          <ScreenLink href="/directory/companies">All companies</ScreenLink>
        </>
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </Page>
  );
}
