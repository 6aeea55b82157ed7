// One person of the directory: jobs, values with sources, enrichment jobs, and actions.
import { Button, Group, Skeleton, Table, Text } from '@mantine/core';
import { Link, useLocation, useSearch } from 'wouter';
import {
  type JobHeld,
  jobsOfPerson,
  type PersonRecord,
  records,
} from '../../../../engine/contract/records/records.ts';
import type { SearchedDirectory } from '../../../../engine/contract/search.ts';
import { useAnswer } from '../../../api/live.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { countOf, showCount, showTime } from '../../../components/numbers.ts';
import { Page } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { SuppressButton } from '../../../components/suppress-button.tsx';
import tableClasses from '../../../components/table.module.css';
import { TableCard } from '../../../components/table-card.tsx';
import { Caption, Note, ScreenLink } from '../../../components/text.tsx';
import { useDraft } from '../../pipelines/draft.tsx';
import { noFilters } from '../chosen-filters.ts';
import { RecordDuplicates, RecordValues } from './record-values.tsx';
import { showDay } from './show-day.ts';

function describePeriod({ start_on, end_on, is_current }: JobHeld): string {
  const start = start_on === null ? '' : `from ${showDay(start_on)}`;
  const end = end_on === null ? '' : `until ${showDay(end_on)}`;
  return [start, is_current ? '' : end].filter(Boolean).join(' ') || '–';
}

const statusOf = ({ is_current: isCurrent, is_primary: isPrimary }: JobHeld) =>
  isCurrent ? (isPrimary ? 'Current' : 'Also current') : 'Ended';

function JobHeldRow({ job, isOwn }: { job: JobHeld; isOwn: boolean }) {
  const title = job.values.find(({ field }) => field === 'title');
  const others = job.values.filter(({ field }) => field !== 'title');
  const origin = title ?? others[0];
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>
        <span dir="auto">{title?.value ?? '–'}</span>
        {others.length > 0 && <Caption>{others.map(({ value }) => value).join(' · ')}</Caption>}
      </Table.Td>
      <Table.Td className={tableClasses.name}>
        {job.company_id === null ? (
          (job.company_name ?? '–')
        ) : (
          <ScreenLink
            href={`/directory/companies/${job.company_id}${isOwn ? '' : '?directory=team'}`}
          >
            {job.company_name}
          </ScreenLink>
        )}
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        <Text size="sm" {...(!job.is_current && { c: 'dimmed' })}>
          {statusOf(job)}
        </Text>
      </Table.Td>
      <Table.Td>{describePeriod(job)}</Table.Td>
      <Table.Td className={tableClasses.name}>
        {job.email ?? (job.has_email ? 'On file' : '–')}
      </Table.Td>
      <Table.Td className={tableClasses.name}>
        {origin ? `${origin.source}, ${showDay(origin.observed_on)}` : '–'}
      </Table.Td>
    </Table.Tr>
  );
}

function JobsHeld({ jobs, isOwn }: { jobs: readonly JobHeld[]; isOwn: boolean }) {
  if (jobs.length === 0) return <Note>No job is on file.</Note>;
  // Nothing else tells two jobs of one person apart.
  const numbered = jobs.map((job, nth) => ({ nth, job }));
  return (
    <TableCard
      label="Jobs on file"
      columns={['Title', 'Company', 'Status', 'Period', 'Email', 'Source and date']}
      widthMinPx={780}
    >
      {numbered.map(({ nth, job }) => (
        <JobHeldRow key={nth} job={job} isOwn={isOwn} />
      ))}
    </TableCard>
  );
}

function UsedBy({ id }: { id: string }) {
  const { data, error, refetch } = useAnswer(['found-people', 'jobs-of', id], jobsOfPerson.list, {
    input: {
      id,
    },
  });
  const leftOut = data?.jobs_left_out ?? 0;
  return (
    <Section title="Enrichment jobs" sentence="Jobs of this account with this person in a row.">
      <ErrorPanel title="The jobs could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={48} />}
      {data?.jobs.length === 0 && <Note>No job has used this person.</Note>}
      {data && data.jobs.length > 0 && (
        <ul style={{ margin: 0, paddingInlineStart: 20 }}>
          {data.jobs.map((job) => (
            <li key={job.job_id}>
              <ScreenLink href={`/jobs/${job.job_id}`}>{job.title || 'Job'}</ScreenLink>{' '}
              <Note span>
                row {showCount(job.row_index + 1)}
                {job.completed_at !== null && `, ${showTime(job.completed_at)}`}
              </Note>
            </li>
          ))}
        </ul>
      )}
      {leftOut > 0 && (
        <Note mt="xs">
          {countOf(leftOut, 'large job')} {leftOut === 1 ? 'was' : 'were'} not searched.
        </Note>
      )}
    </Section>
  );
}

interface Shown {
  readonly person: PersonRecord;
  readonly directory: SearchedDirectory;
}

function ShowContactsButton({ person, directory }: Shown) {
  const draft = useDraft();
  const [, navigate] = useLocation();
  const hidden = person.values.some(({ is_hidden }) => is_hidden);
  if (!hidden) return null;
  const search = { text: person.name, chosen: noFilters, picked: [person.id] };
  return (
    <Button
      size="compact-sm"
      onClick={() => {
        draft.change({ source: 'people', ...search, directory, limit: null, title: null });
        navigate('/directory/contacts/new');
      }}
    >
      Show emails and phones…
    </Button>
  );
}

/** What the engine's own data has on a person of the own directory. */
function OwnData({ person }: { person: PersonRecord }) {
  return (
    <>
      <RecordDuplicates duplicates={person.duplicates} />
      <UsedBy id={person.id} />
    </>
  );
}

function Person({ person, directory }: Shown) {
  const isOwn = directory === 'own';
  const employer = [person.title, person.company_name].filter(Boolean).join(', ');
  return (
    <Page
      title={person.name || 'Unnamed person'}
      sentence={
        employer === '' ? (
          'No job is on file.'
        ) : (
          <>
            {person.has_left && 'Left their job: '}
            <bdi>{employer}</bdi>
          </>
        )
      }
      action={
        <Group gap="sm">
          <ShowContactsButton person={person} directory={directory} />
          {isOwn && (
            <Button component={Link} href={`/directory/person-data/${person.id}`} size="compact-sm">
              Show or delete all data
            </Button>
          )}
          <SuppressButton values={[{ kind: 'person', value: person.id }]} />
        </Group>
      }
    >
      <ScreenLink href="/directory">All people</ScreenLink>
      {!isOwn && (
        <Note mt="xs">
          This person is in the team’s directory. Lists of this computer do not change it.
        </Note>
      )}
      <Section title="Employment history" sentence="Current jobs first.">
        <JobsHeld jobs={person.jobs} isOwn={isOwn} />
      </Section>
      <Section
        title="Values"
        sentence={
          isOwn
            ? 'Every value shows its source and date.'
            : 'Every value shows its source and date. Emails and phones are shown on request.'
        }
      >
        <RecordValues label="Values of the person" values={person.values} />
        {person.other_names.length > 0 && (
          <Text size="sm" mt="sm">
            Other names: {person.other_names.join(', ')}
          </Text>
        )}
      </Section>
      {isOwn && <OwnData person={person} />}
    </Page>
  );
}

export function PersonScreen({ id }: { id: string }) {
  const isTeam = new URLSearchParams(useSearch()).get('directory') === 'team';
  const directory = isTeam ? 'team' : 'own';
  const { data, error, refetch } = useAnswer(
    ['found-people', 'person', directory, id],
    records.person,
    {
      input: {
        id,
        directory: directory === 'own' ? undefined : directory,
      },
    },
  );
  if (data && !error) return <Person person={data} directory={directory} />;
  return (
    <Page title="Person">
      {error ? (
        <>
          <ErrorPanel title="The person could not be loaded" error={error} onRetry={refetch} />
          <ScreenLink href="/directory">All people</ScreenLink>
        </>
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </Page>
  );
}
