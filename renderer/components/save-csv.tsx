/** Saves rows as CSV: to a chosen path in the desktop shell, as a download in the browser. */
import { ActionIcon, Button, Checkbox, Popover, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExportAnswer } from '../../engine/contract/jobs/app-jobs.ts';
import { findDesktop, startDownload } from '../api/desktop.ts';
import { useChange } from '../api/live.ts';
import { countOf } from './numbers.ts';
import { showFailure, showSuccess } from './toast.ts';

/** What the CSV contains, and how the engine writes it. */
export interface SaveCsvProps {
  /** The proposed file name, without its extension. */
  readonly name: string;
  /** One sentence about the content of the CSV. */
  readonly sentence: string;
  /** The label of the selected filter; null without one. */
  readonly filter: string | null;
  /** False if the CSV has none of the caller's cells, so that all cells are protected anyway. */
  readonly hasOwnCells?: boolean | undefined;
  readonly onExport: (wanted: {
    path: string | undefined;
    shownOnly: boolean;
    for_excel: boolean;
    protect_all: boolean;
  }) => Promise<ExportAnswer>;
}

interface Options {
  readonly forExcel: boolean;
  readonly protectAll: boolean;
  readonly shownOnly: boolean;
}

/** Confirms a written file, and offers to show it if the shell can. */
function showSaved(rows: number, path: string): void {
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

/** Asks for a path if the shell can, then has the engine write or stream the file. */
async function save({ name, onExport, filter }: SaveCsvProps, options: Options): Promise<void> {
  const suggestedName = `${name.replace(/[\\/:*?"<>|]/g, '-')}.csv`;
  const place = await findDesktop()?.saveAs({ suggestedName, kind: 'csv' });
  if (place === null) return;
  const answer = await onExport({
    path: place?.path,
    shownOnly: options.shownOnly && filter !== null,
    for_excel: options.forExcel,
    protect_all: options.protectAll,
  });
  if (answer.path) showSaved(answer.rows, answer.path);
  if (answer.download_url) {
    startDownload(answer.download_url, answer.file_name);
    showSuccess(`${countOf(answer.rows, 'row')} are being downloaded.`);
  }
}

function OptionBoxes({
  options,
  onChange,
  filter,
  hasOwnCells = true,
}: Pick<SaveCsvProps, 'filter' | 'hasOwnCells'> & {
  options: Options;
  onChange: (options: Options) => void;
}) {
  const boxes = [
    ['forExcel', 'For Excel', 'Adds a byte order mark, so that Excel shows accents correctly.'],
    [
      'protectAll',
      'Protect all cells',
      'Adds an apostrophe to your own cells that a spreadsheet would run as a formula.',
    ],
    [
      'shownOnly',
      'Only the rows shown',
      filter ? `Only ${filter} rows.` : 'No filter is selected.',
    ],
  ] as const;
  const shown = boxes.filter(([name]) => hasOwnCells || name !== 'protectAll');
  return shown.map(([name, label, description]) => (
    <Checkbox
      key={name}
      size="sm"
      label={label}
      description={description}
      disabled={name === 'shownOnly' && !filter}
      checked={options[name]}
      onChange={(event) => onChange({ ...options, [name]: event.currentTarget.checked })}
    />
  ));
}

/** The button and its options. */
export function SaveCsv(props: SaveCsvProps) {
  const [options, setOptions] = useState<Options>({
    forExcel: false,
    protectAll: false,
    shownOnly: false,
  });
  const saving = useChange(() => save(props, options), []);
  return (
    <Button.Group>
      <Button
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={saving.isPending}
        onClick={() =>
          saving.mutate(undefined, {
            onError: (error) => showFailure('The file was not saved', error),
          })
        }
      >
        Save CSV
      </Button>
      <Popover position="bottom-end" width={300} trapFocus returnFocus withRoles>
        <Popover.Target>
          <ActionIcon variant="filled" size={36} aria-label="CSV options">
            <IconChevronDown size={16} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label="CSV options">
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {props.sentence}
            </Text>
            <OptionBoxes
              options={options}
              onChange={setOptions}
              filter={props.filter}
              hasOwnCells={props.hasOwnCells}
            />
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Button.Group>
  );
}
