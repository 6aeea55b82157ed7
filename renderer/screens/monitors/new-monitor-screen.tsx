// A new monitor, step by step: contacts, schedule, price.
import { Anchor, Button, Checkbox, Skeleton, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type CreditUnits, creditUnits } from '../../../engine/contract/credits.ts';
import type { InputOf } from '../../../engine/contract/endpoints.ts';
import { titleCharactersMax } from '../../../engine/contract/limits/jobs.ts';
import { type MonitorSchedule, monitors } from '../../../engine/contract/monitors/monitors.ts';
import { useAppState, useCall, useJob, useLayers } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, countUnits, showCredits, unitsOf } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { StickyFoot } from '../../components/sticky-foot.tsx';
import { ScreenLink } from '../../components/text.tsx';
import { ColumnsStep, canIdentify } from '../enrich/columns-step.tsx';
import { FileStep } from '../enrich/file-step.tsx';
import { FlowProvider, useFlow } from '../enrich/flow.tsx';
import { ChooseList } from '../enrich/leave-list.tsx';
import { Step } from '../enrich/step.tsx';
import { ChargeRule } from './charge-rule.tsx';
import { describeSchedule, monthlyCost, ownZone } from './monitor-words.ts';
import { isWhole, ScheduleFields } from './schedule-fields.tsx';

/** The monitor's contacts: the request to the engine, and their number. */
interface Contacts {
  readonly source: Pick<InputOf<typeof monitors.create>, 'upload_id' | 'mapping' | 'job_id'>;
  readonly count: number;
  readonly name: string;
}

const firstSchedule = (): MonitorSchedule => ({
  rhythm: 'weekly',
  time: '09:00',
  weekday: 1,
  month_day: 1,
  time_zone: ownZone(),
});

const describeMonth = (units: CreditUnits, schedule: MonitorSchedule): string =>
  schedule.rhythm === 'monthly'
    ? 'One run a month.'
    : `About ${countUnits(monthlyCost(units, schedule))} a month at most.`;

interface PriceStepProps {
  number: number;
  contacts: Contacts;
  title: string;
  schedule: MonitorSchedule;
}

function PriceStep({ number, contacts, title, schedule }: PriceStepProps) {
  const [runNow, setRunNow] = useState(true);
  const { data: layers } = useLayers();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const create = useCall(monitors.create, ['monitors', 'monitor-jobs']);
  const price = layers?.layers.find(({ code }) => code === 'L1')?.price;
  const { data: state } = useAppState();
  const units = price === undefined ? null : creditUnits(unitsOf(price) * contacts.count);
  const most = units === null ? undefined : countUnits(units);
  const isReady = title.trim() !== '' && isWhole(schedule) && most !== undefined;
  const submit = () =>
    create.mutate(
      { title: title.trim(), schedule, run_now: runNow, ...contacts.source },
      {
        onSuccess: (monitor) => {
          client.setQueryData(['monitor', monitor.id], monitor);
          navigate(`/monitors/${monitor.id}`);
        },
      },
    );
  return (
    <>
      <Step
        number={number}
        title="Price"
        facts={
          most === undefined
            ? 'Counting …'
            : `${countOf(contacts.count, 'contact')} × ${showCredits(price ?? '')} = at most ` +
              `${most} per run`
        }
      >
        <Text size="sm">
          {units !== null && describeMonth(units, schedule)} Nothing is reserved: when a run
          finishes, you pay for each contact that was found, also for one that the list repeats
          {state?.account.monitor_charge === 'changes' && ', except those that have not changed'}.
        </Text>
        {state && <ChargeRule account={state.account} />}
      </Step>
      <StickyFoot
        isOfPage
        above={<ErrorPanel title="The monitor was not created" error={create.error} />}
      >
        <Checkbox
          label="Start the first run now"
          mr="auto"
          checked={runNow}
          onChange={(event) => setRunNow(event.currentTarget.checked)}
        />
        <Button
          variant="filled"
          size="md"
          disabled={!isReady}
          loading={create.isPending}
          onClick={submit}
        >
          Create monitor, at most {most ?? '… credits'} per run
        </Button>
      </StickyFoot>
    </>
  );
}

function PlanSteps({ first, contacts }: { first: number; contacts: Contacts }) {
  const [title, setTitle] = useState(contacts.name);
  const [schedule, setSchedule] = useState(firstSchedule);
  return (
    <>
      <Step
        number={first}
        title="Schedule"
        facts={isWhole(schedule) ? describeSchedule(schedule) : 'Choose a schedule'}
      >
        <TextInput
          label="Name"
          maw={480}
          maxLength={titleCharactersMax}
          value={title}
          error={title.trim() === '' ? 'Give it a name.' : null}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <ScheduleFields schedule={schedule} onChange={setSchedule} />
      </Step>
      <PriceStep number={first + 1} contacts={contacts} title={title} schedule={schedule} />
    </>
  );
}

const bareName = (name: string) => name.replace(/\.[a-z]{2,5}$/i, '').slice(0, titleCharactersMax);

const dropHint = 'The contacts to watch: CSV or Excel, up to 100 MB. They stay on this machine.';

function FromFile() {
  const { flow } = useFlow();
  if (flow.name === null) return <ChooseList hint={dropHint} />;
  const { upload, mapping } = flow;
  const contacts = upload && {
    source: { upload_id: upload.upload_id, mapping },
    count: upload.row_count,
    name: bareName(upload.file_name),
  };
  return (
    <>
      <FileStep />
      {upload && <ColumnsStep upload={upload} />}
      {contacts && canIdentify(mapping) && (
        <PlanSteps key={contacts.source.upload_id} first={3} contacts={contacts} />
      )}
    </>
  );
}

function FromJob({ jobId }: { jobId: string }) {
  const { data: job, error, refetch } = useJob(jobId);
  if (error)
    return <ErrorPanel title="The job could not be loaded" error={error} onRetry={refetch} />;
  if (!job) return <Skeleton height={120} />;
  const name = job.title || 'Untitled job';
  const contacts = { source: { job_id: jobId }, count: job.total_rows, name };
  return (
    <>
      <Step
        number={1}
        title="Contacts"
        facts={
          <>
            The <strong>{countOf(job.total_rows, 'row')}</strong> of{' '}
            <Anchor component={Link} href={`/jobs/${jobId}`}>
              {name}
            </Anchor>
          </>
        }
      />
      <PlanSteps first={2} contacts={contacts} />
    </>
  );
}

/** The screen; `jobId` names the finished job whose rows are watched. */
export function NewMonitorScreen({ jobId }: { jobId?: string }) {
  return (
    <Page
      title="New monitor"
      sentence={
        <nav aria-label="Breadcrumbs">
          <ScreenLink href="/monitors">Monitors</ScreenLink> / Each contact is looked up on a
          schedule, and changes are recorded.
        </nav>
      }
    >
      {jobId === undefined ? (
        <FlowProvider>
          <FromFile />
        </FlowProvider>
      ) : (
        <FromJob jobId={jobId} />
      )}
    </Page>
  );
}
