// One monitor: schedule, price of a run, runs; pause, run, change, delete.
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import {
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { titleCharactersMax } from '../../../engine/contract/limits/jobs.ts';
import { type Monitor, monitors } from '../../../engine/contract/monitors/monitors.ts';
import { useAnswer, useCall } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Figures } from '../../components/figures.tsx';
import {
  countCredits,
  countOf,
  showCount,
  showCredits,
  showTime,
} from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { ScreenLink } from '../../components/text.tsx';
import { PageTitle } from '../../components/titles/page-title.tsx';
import { UnreadRecord } from '../../components/unread-record.tsx';
import { describeSchedule } from './monitor-words.ts';
import { RunsTable } from './runs-table.tsx';
import { isWhole, ScheduleFields } from './schedule-fields.tsx';

/** The dialog; open while mounted. */
function ChangeDialog({ monitor, onClose }: { monitor: Monitor; onClose: () => void }) {
  const [title, setTitle] = useState(monitor.title);
  const [schedule, setSchedule] = useState(monitor.schedule);
  const change = useCall(monitors.change, ['monitor', 'monitors']);
  return (
    <Modal opened onClose={onClose} size="lg" title="Change monitor">
      <Stack gap="md">
        <TextInput
          label="Name"
          data-autofocus
          maxLength={titleCharactersMax}
          value={title}
          error={title.trim() === '' ? 'Give it a name.' : null}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <ScheduleFields schedule={schedule} onChange={setSchedule} />
        <ErrorPanel title="The monitor was not changed" error={change.error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="filled"
            disabled={title.trim() === '' || !isWhole(schedule)}
            loading={change.isPending}
            onClick={() =>
              change.mutate(
                { id: monitor.id, title: title.trim(), schedule },
                { onSuccess: onClose },
              )
            }
          >
            Save changes
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const changed = ['monitor', 'monitors', 'monitor-jobs', 'monitor-job'];

function PauseButton({ monitor }: { monitor: Monitor }) {
  const change = useCall(monitors.change, changed, { failed: 'The monitor was not changed' });
  const Icon = monitor.paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Button
      leftSection={<Icon size={16} aria-hidden />}
      loading={change.isPending}
      onClick={() => change.mutate({ id: monitor.id, paused: !monitor.paused })}
    >
      {monitor.paused ? 'Resume' : 'Pause'}
    </Button>
  );
}

function DeleteButton({ monitor }: { monitor: Monitor }) {
  const remove = useCall(monitors.remove, changed, { failed: 'The monitor was not deleted' });
  const [, navigate] = useLocation();
  return (
    <ConfirmButton
      title="Delete this monitor?"
      sentence={
        'It won’t run again, and its list is deleted. A run in progress stops and costs nothing; ' +
        'the findings of finished runs stay under Monitors.'
      }
      act="Delete the monitor"
      loading={remove.isPending}
      leftSection={<IconTrash size={16} aria-hidden />}
      onConfirm={() =>
        remove.mutate(
          { id: monitor.id },
          {
            onSuccess: () => navigate('/monitors'),
          },
        )
      }
    >
      Delete
    </ConfirmButton>
  );
}

function RunButton({ monitor }: { monitor: Monitor }) {
  const run = useCall(monitors.run, changed, { failed: 'The run was not started' });
  const isRunning = monitor.last_job?.status === 'Queued' || monitor.last_job?.status === 'Running';
  return (
    <Button
      variant="filled"
      leftSection={<IconRefresh size={16} aria-hidden />}
      disabled={isRunning}
      loading={run.isPending}
      onClick={() => run.mutate({ id: monitor.id })}
    >
      Run now, at most {countCredits(monitor.most_credits)}
    </Button>
  );
}

function Actions({ monitor }: { monitor: Monitor }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <Group gap="sm">
      <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setChanging(true)}>
        Change
      </Button>
      <PauseButton monitor={monitor} />
      <DeleteButton monitor={monitor} />
      <RunButton monitor={monitor} />
      {isChanging && <ChangeDialog monitor={monitor} onClose={() => setChanging(false)} />}
    </Group>
  );
}

export function MonitorScreen({ id }: { id: number }) {
  const {
    data: monitor,
    error,
    refetch,
  } = useAnswer(['monitor', id], monitors.get, {
    input: { id },
    retry: false,
    refetchInterval: 60_000,
  });
  if (!monitor)
    return (
      <UnreadRecord
        name="monitor"
        list="/monitors"
        reason="It was deleted, or belongs to another account of this desk."
        error={error}
        onRetry={() => void refetch()}
      />
    );
  const next = monitor.next_run_at ? showTime(monitor.next_run_at) : 'Paused';
  return (
    <Page
      title={monitor.title}
      sentence={
        <nav aria-label="Breadcrumbs">
          <ScreenLink href="/monitors">Monitors</ScreenLink> / {describeSchedule(monitor.schedule)}
          {monitor.file_name ? ` · ${monitor.file_name}` : ''}
        </nav>
      }
      action={<Actions monitor={monitor} />}
    >
      <PageTitle title={monitor.title} />
      <Figures
        figures={[
          { label: 'Next run', value: next },
          { label: 'Contacts', value: showCount(monitor.total_records) },
          { label: 'Maximum credits per run', value: showCredits(monitor.most_credits) },
        ]}
      />
      {monitor.problem && <Alert color="yellow">{monitor.problem}</Alert>}
      {monitor.last_job ? (
        <RunsTable monitorId={id} title="Runs" />
      ) : (
        <Text c="dimmed">
          No run yet. Each run looks up {countOf(monitor.total_records, 'contact')} and shows here
          who changed.
        </Text>
      )}
    </Page>
  );
}
