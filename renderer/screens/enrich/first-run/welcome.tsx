// The flow without a file: try the sample, enrich a list, or connect an assistant.
import { Box, Button, Card, Group, Progress, Text, Title } from '@mantine/core';
import { IconAddressBook, IconSparkles } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DirectoryStats } from '../../../../engine/contract/directory.ts';
import { imports, toItsEnd } from '../../../../engine/contract/imports.ts';
import { findDesktop } from '../../../api/desktop.ts';
import { useAppState, useCall, useTask } from '../../../api/live.ts';
import { DropArea } from '../../../components/drop-area.tsx';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { countOf, showShare } from '../../../components/numbers.ts';
import { StatusChip } from '../../../components/status-chip.tsx';
import { useFlow } from '../flow.tsx';
import { useOpenFiles } from '../open-files.tsx';
import classes from './welcome.module.css';

/** Share of the bar that reading takes; the index takes the rest. */
const readingShare = 0.6;

/** How far the sample is: the import's progress, then the index's. */
function useProgress(): { label: string; share: number } {
  const reading = useTask('import');
  const indexing = useTask('index');
  const shareOf = (task: typeof reading) => (task?.total ? task.done / task.total : 0);
  return indexing
    ? {
        label: 'Preparing the sample for matching',
        share: readingShare + (1 - readingShare) * shareOf(indexing),
      }
    : { label: 'Loading the sample people', share: readingShare * shareOf(reading) };
}

function LoadingSample() {
  const { label, share } = useProgress();
  const shown = Math.min(1, share);
  return (
    <div>
      <Text size="sm" role="status" className="numbers" mb={4}>
        {label}, {showShare(shown)}
      </Text>
      <Progress value={shown * 100} size="sm" aria-label="Loading the sample" />
    </div>
  );
}

/** @param isEmpty whether the directory has no people; undefined until it is known */
function SampleButton({ isEmpty }: { isEmpty: boolean | undefined }) {
  const { actions } = useFlow();
  const load = useCall(toItsEnd(imports.addSample), ['state', 'directory']);
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    for (const task of ['import', 'index']) client.setQueryData(['task', task], null);
    try {
      if (isEmpty) await load.mutateAsync({ wait: '1' });
      await actions.choose({ sample: true });
    } catch {
      setBusy(false);
    }
  };
  return (
    <>
      <Group gap="sm" wrap="nowrap" mih={40}>
        <Button
          variant={isEmpty ? 'filled' : 'default'}
          flex="none"
          onClick={() => void start()}
          loading={isBusy}
          disabled={isEmpty === undefined}
        >
          Try the sample
        </Button>
        <div style={{ flex: 1 }}>{isBusy && isEmpty && <LoadingSample />}</div>
      </Group>
      {load.isError && (
        <ErrorPanel
          title="The sample could not be loaded"
          error={load.error}
          onRetry={() => void start()}
        />
      )}
    </>
  );
}

/** An invented contact. */
const given = [
  ['First name', 'Ada'],
  ['Last name', 'Lovell'],
  ['Company', 'Analytical Engines'],
] as const;
const found = [
  ['Current company', 'Babbage Instruments'],
  ['Current title', 'Head of Sales'],
  ['Email', 'ada@babbage.example'],
  ['Contact city', 'London'],
] as const;

const columns = [
  ...given.map(([name, value]) => ({ name, value, isFound: false })),
  ...found.map(([name, value]) => ({ name, value, isFound: true })),
];

function ExampleRows() {
  return (
    <Box
      component="section"
      className={classes.scroll}
      tabIndex={0}
      aria-label="A row before and after"
    >
      <table className={classes.example}>
        <thead>
          <tr>
            <td />
            {columns.map(({ name, isFound }) => (
              <th key={name} scope="col" data-found={isFound || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Your row</th>
            {columns.map(({ name, value, isFound }) => (
              <td key={name}>{isFound ? '' : value}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">
              With results <StatusChip status="changed" label="changed jobs" />
            </th>
            {columns.map(({ name, value, isFound }) => (
              <td key={name} data-found={isFound || undefined}>
                {value}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </Box>
  );
}

function BeforeAfter() {
  return (
    <Card component="section" aria-labelledby="before-after">
      <Title order={2} id="before-after" mb={8}>
        What you get
      </Title>
      <ExampleRows />
      <Text size="sm" mt="sm">
        Your lists are the source. Nothing leaves this machine unless you turn on a data service or
        a team’s directory.
      </Text>
    </Card>
  );
}

const dropHint =
  'CSV or Excel, up to 100 MB. It stays on this machine unless you turn on a data service or a ' +
  'team’s directory.';

const directoryPromise =
  'CRM exports, bought lists, earlier results: every row is matched against your imports, ' +
  'offline. Every value shows its source and date.';

function describeDirectory({ people, companies }: DirectoryStats): string {
  const persons = countOf(people, 'person', 'people');
  const held = `${persons} and ${countOf(companies, 'company', 'companies')}`;
  return `${held} are matched against every row. Every value shows its source and date.`;
}

function DirectoryCard() {
  const { data: state } = useAppState();
  const directory = state?.directory;
  const full = directory && directory.people > 0;
  return (
    <Card component="section" aria-label="Your directory" className={classes.card}>
      <Group gap="sm">
        <IconAddressBook size={22} stroke={1.5} aria-hidden color="var(--desk-accent)" />
        <Title order={2}>{full ? 'Your directory' : 'Import your own directory'}</Title>
      </Group>
      <Text c="dimmed" className="numbers">
        {full ? describeDirectory(directory) : directoryPromise}
        {directory?.has_team &&
          ' Rows that it does not know are looked up in the team’s directory.'}
      </Text>
      <div className={classes.push}>
        <Button component={Link} href="/directory/imports">
          {full ? 'Add to the directory' : 'Import people and companies'}
        </Button>
      </div>
    </Card>
  );
}

const AssistantCard = () => (
  <Card component="section" aria-label="Connect an assistant" className={classes.card}>
    <Group gap="sm">
      <IconSparkles size={22} stroke={1.5} aria-hidden color="var(--desk-accent)" />
      <Title order={2}>Connect an assistant</Title>
    </Group>
    <Text c="dimmed">
      Claude, ChatGPT and others search your directory and enrich lists for you, within a limit that
      you set.
    </Text>
    <div className={classes.push}>
      <Button component={Link} href="/connections/assistants">
        Connect an assistant
      </Button>
    </div>
  </Card>
);

/** The Enrich screen without a file. */
export function Welcome() {
  const { actions } = useFlow();
  const openFiles = useOpenFiles();
  const { data: state } = useAppState();
  const desktop = findDesktop();
  const empty = state && state.directory.people === 0;
  const browse = async () => {
    const chosen = await desktop?.openSpreadsheet();
    if (chosen) await actions.choose(chosen);
  };
  return (
    <>
      <div className={classes.welcome}>
        <Card component="section" aria-labelledby="try-sample" className={classes.card}>
          <Title order={2} id="try-sample">
            Try the sample
          </Title>
          <Text c="dimmed">
            A short list and a directory of public office holders. You remove them with one click.
          </Text>
          <div className={classes.push}>
            <SampleButton isEmpty={empty} />
          </div>
        </Card>
        <Card component="section" aria-labelledby="enrich-list" className={classes.card}>
          <Title order={2} id="enrich-list">
            Enrich my list
          </Title>
          <DropArea
            label="Drop a spreadsheet, or choose one"
            hint={dropHint}
            onFile={(file) => void actions.choose({ file })}
            onFiles={openFiles}
          />
          {desktop && (
            <div className={classes.push}>
              <Button onClick={() => void browse()}>Open a spreadsheet</Button>
            </div>
          )}
        </Card>
        <AssistantCard />
      </div>
      <BeforeAfter />
      <DirectoryCard />
    </>
  );
}
