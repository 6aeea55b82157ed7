/** Renames a monitor and changes its schedule. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { titleCharactersMax } from '../../../engine/contract/limits/jobs.ts';
import { type Monitor, monitors } from '../../../engine/contract/monitors/monitors.ts';
import { useCall } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { isWhole, ScheduleFields } from './schedule-fields.tsx';

/** The dialog; open while mounted. */
export function ChangeDialog({ monitor, onClose }: { monitor: Monitor; onClose: () => void }) {
  const [title, setTitle] = useState(monitor.title);
  const [schedule, setSchedule] = useState(monitor.schedule);
  const change = useCall(monitors.change, ['monitor', 'monitors']);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title="Change monitor"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
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
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
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
