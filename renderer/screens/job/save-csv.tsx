/** Saves a job's result: to a chosen path in the desktop shell, as a download in the browser. */
import { ActionIcon, Button, Checkbox, Popover, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { RowStatus, StatusData } from '../../../engine/contract/job.ts';
import { findDesktop, startDownload } from '../../api/desktop.ts';
import { exportJob } from '../../api/engine.ts';
import { useChange } from '../../api/live.ts';
import { countOf } from '../../components/numbers.ts';
import { tellDone, tellRefused } from '../../components/tell.ts';

interface Options {
  readonly forExcel: boolean;
  readonly protectAll: boolean;
  readonly shownOnly: boolean;
}

/** Says that a file stands, and shows it where the shell can. */
function tellSaved(rows: number, path: string): void {
  const desktop = findDesktop();
  notifications.show({
    color: 'teal',
    autoClose: 10_000,
    title: `Saved ${countOf(rows, 'row')}`,
    message: (
      <Stack gap={6} align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {path}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void desktop?.showInFolder(path)}
        >
          Show in folder
        </Button>
      </Stack>
    ),
  });
}

/** Asks for a place where the shell can ask, then has the engine write or stream the file. */
async function save(job: StatusData, status: RowStatus | null, options: Options): Promise<void> {
  const suggestedName = `${job.title.replace(/[\\/:*?"<>|]/g, '-') || 'job'}-enriched.csv`;
  const place = await findDesktop()?.saveAs({ suggestedName, kind: 'csv' });
  if (place === null) return;
  const answer = await exportJob(job.job_id, {
    ...(place ? { path: place.path } : {}),
    ...(options.shownOnly && status ? { status } : {}),
    for_excel: options.forExcel,
    protect_all: options.protectAll,
  });
  if (answer.path) tellSaved(answer.rows, answer.path);
  if (answer.download_url) {
    startDownload(answer.download_url, answer.file_name);
    tellDone(`${countOf(answer.rows, 'row')} are on their way to your downloads.`);
  }
}

function OptionBoxes({
  options,
  onChange,
  status,
}: {
  options: Options;
  onChange: (options: Options) => void;
  status: RowStatus | null;
}) {
  const boxes = [
    ['forExcel', 'For Excel', 'Adds a mark at the start, so that Excel reads accents right.'],
    [
      'protectAll',
      'Protect all cells',
      'Also your own cells that a spreadsheet would run as a formula get a leading apostrophe.',
    ],
    ['shownOnly', 'Only the rows shown', status ? `Only ${status} rows.` : 'No filter is chosen.'],
  ] as const;
  return boxes.map(([name, label, description]) => (
    <Checkbox
      key={name}
      size="sm"
      label={label}
      description={description}
      disabled={name === 'shownOnly' && !status}
      checked={options[name]}
      onChange={(event) => onChange({ ...options, [name]: event.currentTarget.checked })}
    />
  ));
}

/** The button and its options. */
export function SaveCsv({ job, status }: { job: StatusData; status: RowStatus | null }) {
  const [options, setOptions] = useState<Options>({
    forExcel: false,
    protectAll: false,
    shownOnly: false,
  });
  const saving = useChange(() => save(job, status, options), []);
  return (
    <Button.Group>
      <Button
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={saving.isPending}
        onClick={() =>
          saving.mutate(undefined, {
            onError: (error) => tellRefused('The file was not saved', error),
          })
        }
      >
        Save CSV
      </Button>
      <Popover position="bottom-end" width={300} trapFocus returnFocus withRoles>
        <Popover.Target>
          <ActionIcon variant="filled" size={36} aria-label="How the CSV is saved">
            <IconChevronDown size={16} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label="How the CSV is saved">
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              Every column and row of yours, in order, then what was found.
            </Text>
            <OptionBoxes options={options} onChange={setOptions} status={status} />
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Button.Group>
  );
}
