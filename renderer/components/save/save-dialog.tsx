// The dialog that saves rows as CSV or as an Excel workbook.
import { Button, Checkbox, SegmentedControl, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { ExportFormat } from '../../../engine/contract/exports/export-formats.ts';
import { useChange } from '../../api/live.ts';
import { OpenModal } from '../dialogs.tsx';
import { ErrorPanel } from '../error-panel.tsx';
import { StickyFoot } from '../sticky-foot.tsx';
import { Note } from '../text.tsx';
import { keptFormat } from './kept-choice.ts';
import classes from './save-dialog.module.css';
import { type SavedAnswer, saveFile } from './save-file.tsx';

export interface SaveOptions {
  readonly format: ExportFormat;
  readonly forExcel: boolean;
  readonly protectAll: boolean;
  readonly shownOnly: boolean;
}

/** Whether the system may have Excel, which reads UTF-8 in a CSV by its byte order mark alone. */
const mayHaveExcel = /^(?:Win|Mac)/.test(navigator.platform);

export const firstOptions: SaveOptions = {
  format: 'csv',
  forExcel: mayHaveExcel,
  protectAll: false,
  shownOnly: false,
};

/** The part of an export's body that the options decide. */
export const describeFormat = ({ format, forExcel, protectAll }: SaveOptions) => ({
  format,
  ...(format === 'csv' ? { for_excel: forExcel, protect_all: protectAll } : {}),
});

export const formatNames: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV',
  xlsx: 'Excel (.xlsx)',
  jsonl: 'JSON Lines',
  parquet: 'Parquet',
};

const savedNames: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV',
  xlsx: 'workbook',
  jsonl: 'JSON Lines',
  parquet: 'Parquet',
};

interface OptionsProps {
  readonly options: SaveOptions;
  readonly onOptions: (options: SaveOptions) => void;
  /** The label of the selected filter; null without one. */
  readonly filter: string | null;
  /** False if the file has none of the caller's cells, so that all cells are protected anyway. */
  readonly hasOwnCells?: boolean | undefined;
  /** Whether another program reads the file, which takes no byte order mark. */
  readonly isForImporter?: boolean | undefined;
}

function OptionBoxes({
  options,
  onOptions,
  filter,
  hasOwnCells = true,
  isForImporter = false,
}: OptionsProps) {
  const boxes = [
    ['forExcel', 'For Excel', 'Makes accents display correctly in Excel.'],
    [
      'protectAll',
      'Protect all cells',
      'Adds an apostrophe to your own cells that a spreadsheet would run as a formula.',
    ],
    [
      'shownOnly',
      'Only the rows shown',
      filter ? `Only ${filter} rows.` : 'First choose a filter of the rows.',
    ],
  ] as const;
  return boxes
    .filter(([name]) => options.format === 'csv' || name === 'shownOnly')
    .filter(([name]) => hasOwnCells || name !== 'protectAll')
    .filter(([name]) => !isForImporter || name === 'shownOnly')
    .map(([name, label, description]) => (
      <Checkbox
        key={name}
        size="sm"
        label={label}
        description={description}
        disabled={name === 'shownOnly' && !filter}
        checked={options[name]}
        onChange={(event) => onOptions({ ...options, [name]: event.currentTarget.checked })}
      />
    ));
}

interface SaveProps {
  /** The proposed file name, without its extension. */
  readonly name: string;
  readonly sentence: string;
  readonly filter: string | null;
  readonly hasOwnCells?: boolean;
  readonly onExport: OnExport;
  /** What the choice of the format is remembered for. */
  readonly keptFor?: string;
  /** A second file that is saved after the first one. */
  readonly second?: { readonly name: string; readonly onExport: OnExport } | undefined;
}

type OnExport = (path: string | undefined, options: SaveOptions) => Promise<SavedAnswer>;

/** The dialog; open while mounted. `children` are further choices, and `isBlocked` their faults. */
export function SaveDialog({
  name,
  sentence,
  onExport,
  second,
  keptFor = 'rows',
  onClose,
  isBlocked = false,
  size = 'md',
  summary,
  children,
  ...options
}: SaveProps &
  OptionsProps & {
    readonly onClose: () => void;
    readonly isBlocked?: boolean;
    readonly size?: string;
    /** What the file will hold; in sight with the button. */
    readonly summary?: ReactNode;
    readonly children?: ReactNode;
  }) {
  const { format } = options.options;
  const saving = useChange(async () => {
    const isSaved = await saveFile(name, format, (path) => {
      const { forExcel, protectAll } = options.options;
      keptFormat(keptFor).keep({ format, forExcel, protectAll });
      return onExport(path, options.options);
    });
    if (!isSaved || !second) return isSaved;
    return saveFile(second.name, format, (path) => second.onExport(path, options.options));
  }, []);
  const save = () => saving.mutate(undefined, { onSuccess: (isSaved) => isSaved && onClose() });
  return (
    <OpenModal onClose={onClose} size={size} title="Save">
      {/* A segmented control takes no focus itself, and the button may still be disabled. */}
      <Stack gap="md" tabIndex={-1} data-autofocus className={classes.content}>
        <Note>{sentence}</Note>
        <SegmentedControl
          aria-label="Format"
          value={format}
          onChange={(value) =>
            options.onOptions({ ...options.options, format: value as ExportFormat })
          }
          data={Object.entries(formatNames).map(([value, label]) => ({ value, label }))}
        />
        {children}
        <OptionBoxes {...options} />
        <StickyFoot
          above={
            <>
              {summary}
              <ErrorPanel title="The file was not saved" error={saving.error} />
            </>
          }
        >
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="filled"
            leftSection={<IconDownload size={16} aria-hidden />}
            disabled={isBlocked}
            loading={saving.isPending}
            onClick={save}
          >
            Save {savedNames[format]}
          </Button>
        </StickyFoot>
      </Stack>
    </OpenModal>
  );
}

export function SaveButton({ dialog }: { dialog: (onClose: () => void) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="filled"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
        aria-haspopup="dialog"
        data-command="save"
      >
        Save…
      </Button>
      {isOpen && dialog(() => setIsOpen(false))}
    </>
  );
}

function PlainDialog({ onClose, ...props }: SaveProps & { onClose: () => void }) {
  const [options, setOptions] = useState(() => ({ ...firstOptions, ...keptFormat('rows').read() }));
  return <SaveDialog {...props} options={options} onOptions={setOptions} onClose={onClose} />;
}

/** The button and the dialog of an export without further choices. */
export const SaveRows = (props: SaveProps) => (
  <SaveButton dialog={(onClose) => <PlainDialog {...props} onClose={onClose} />} />
);
