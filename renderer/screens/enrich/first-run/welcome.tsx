/** The flow without a file: try the sample, enrich a list, or connect an assistant. */
import { Button, Card, Group, Text, Title } from '@mantine/core';
import { IconAddressBook, IconSparkles } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { DirectoryStats } from '../../../../engine/contract/directory.ts';
import { findDesktop } from '../../../api/desktop.ts';
import { useAppState } from '../../../api/live.ts';
import { DropArea } from '../../../components/drop-area.tsx';
import { countOf } from '../../../components/numbers.ts';
import { useFlow } from '../flow.tsx';
import { useOpenFiles } from '../open-files.tsx';
import { BeforeAfter } from './before-after.tsx';
import { SampleButton } from './sample-button.tsx';
import classes from './welcome.module.css';

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
        <Button component={Link} href="/directory/imports" variant="default">
          {full ? 'Add to the directory' : 'Import people and companies'}
        </Button>
      </div>
    </Card>
  );
}

/** Where an assistant is connected. */
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
      <Button component={Link} href="/connections/assistants" variant="default">
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
              <Button onClick={() => void browse()} variant="default">
                Open a spreadsheet
              </Button>
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
