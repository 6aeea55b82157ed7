/** The flow without a file: drop one, try the sample, or import a directory first. */
import { Button, Card, Group, Text, Title } from '@mantine/core';
import { IconAddressBook } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DirectoryStats } from '../../../engine/contract/directory.ts';
import { findDesktop } from '../../api/desktop.ts';
import { loadSample } from '../../api/engine.ts';
import { useAppState, useChange } from '../../api/live.ts';
import { DropArea } from '../../components/drop-area.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf } from '../../components/numbers.ts';
import classes from './enrich.module.css';
import { useFlow } from './flow.tsx';

const dropHint =
  'CSV or Excel, up to 100 MB. It stays on this machine unless you switch on a provider.';

/** Loads the sample directory if it is missing, then opens the sample spreadsheet. */
function SampleButton({ empty }: { empty: boolean | undefined }) {
  const { actions } = useFlow();
  const load = useChange(loadSample, ['state', 'directory']);
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      if (empty) await load.mutateAsync(undefined);
      await actions.choose({ sample: true });
    } catch {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant={empty ? 'filled' : 'default'}
        onClick={() => void start()}
        loading={busy}
        disabled={empty === undefined}
      >
        Try the sample
      </Button>
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

const directoryPromise =
  'CRM exports, bought lists, earlier results: every row is matched against your imports, ' +
  'offline. Every value keeps its source and date.';

function describeDirectory({ people, companies }: DirectoryStats): string {
  const persons = countOf(people, 'person', 'people');
  const held = `${persons} and ${countOf(companies, 'company', 'companies')}`;
  return `${held} are matched against every row. Every value keeps its source and date.`;
}

function DirectoryCard() {
  const { data: state } = useAppState();
  const directory = state?.directory;
  const full = directory && directory.people > 0;
  return (
    <Card component="section" aria-label="Your directory" className={classes.welcomeCard}>
      <Group gap="sm">
        <IconAddressBook size={22} stroke={1.5} aria-hidden color="var(--desk-accent)" />
        <Title order={2}>{full ? 'Your directory' : 'Import your own directory'}</Title>
      </Group>
      <Text c="dimmed" className="numbers">
        {full ? describeDirectory(directory) : directoryPromise}
      </Text>
      <div className={classes.push}>
        <Button component={Link} href="/directory/imports" variant="default">
          {full ? 'Add to the directory' : 'Import people and companies'}
        </Button>
      </div>
    </Card>
  );
}

/** The Enrich screen without a file. */
export function Welcome() {
  const { actions } = useFlow();
  const { data: state } = useAppState();
  const desktop = findDesktop();
  const empty = state && state.directory.people === 0;
  const browse = async () => {
    const chosen = await desktop?.openSpreadsheet();
    if (chosen) await actions.choose(chosen);
  };
  return (
    <div className={classes.welcome}>
      <Card component="section" aria-label="Your spreadsheet" className={classes.welcomeCard}>
        <DropArea
          tall
          label="Drop a spreadsheet, or choose one"
          hint={dropHint}
          onFile={(file) => void actions.choose({ file })}
        />
        <Group gap="sm" className={classes.push}>
          {desktop && (
            <Button onClick={() => void browse()} variant="default">
              Open a spreadsheet
            </Button>
          )}
          <SampleButton empty={empty} />
          <Text size="sm" c="dimmed" flex="1 1 180px">
            {empty
              ? 'Real public office holders, loaded in seconds and removed with one click.'
              : 'The sample is a short list of public office holders.'}
          </Text>
        </Group>
      </Card>
      <DirectoryCard />
    </div>
  );
}
