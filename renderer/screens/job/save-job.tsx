// Saves a job's result: everything, or the user's own columns with overwrite rules.
import { Checkbox, Loader, Radio, Stack, Text } from '@mantine/core';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import {
  type CrmExport,
  type CrmName,
  nameRows,
} from '../../../engine/contract/exports/crm-export.ts';
import {
  crmPresets,
  describeRecords,
  type RecordCounts,
} from '../../../engine/contract/exports/crm-presets.ts';
import { jobExports } from '../../../engine/contract/exports/job-exports.ts';
import type { OverwriteDiff } from '../../../engine/contract/exports/overwrite.ts';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import type { RowView } from '../../../engine/contract/jobs/row-view.ts';
import { ask } from '../../api/client.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, showCount } from '../../components/numbers.ts';
import { createKeptChoice, keptFormat } from '../../components/save/kept-choice.ts';
import {
  describeFormat,
  firstOptions,
  SaveButton,
  SaveDialog,
  type SaveOptions,
} from '../../components/save/save-dialog.tsx';
import { CrmChoice, type CrmDraft, keptCrm, useRecordId } from './crm-choice.tsx';
import { findFault, type OverwriteDraft, readRules } from './overwrite-draft.ts';
import { OverwriteTable } from './overwrite-table.tsx';
import { nameView } from './row-view.ts';

type Content = 'everything' | 'shown' | 'own';

const summarize = ({ changed_cells: cells, changed_rows: rows }: OverwriteDiff): string =>
  cells === 0
    ? 'None of your values change.'
    : `${countOf(cells, 'value')} in ${countOf(rows, 'row')} will change.`;

interface ContentChoiceProps {
  content: Content;
  crm: CrmName | null;
  onContent: (content: Content) => void;
}

function ContentChoice({ content, onContent, crm }: ContentChoiceProps) {
  const isForCrm = crm !== null;
  return (
    <Radio.Group label="Content" value={content} onChange={(value) => onContent(value as Content)}>
      <Stack gap="xs" mt={6}>
        <Radio
          value="everything"
          label="Everything"
          description={
            isForCrm
              ? 'The record ID, then what was found.'
              : 'All your columns unchanged, then what was found.'
          }
        />
        {!isForCrm && (
          <Radio
            value="shown"
            label="The columns shown"
            description="The visible columns of the grid, in their order."
          />
        )}
        <Radio
          value="own"
          label="Your columns, updated by rules"
          description={
            isForCrm
              ? 'The record ID, then your columns that a rule may change, under the column names ' +
                `of ${crmPresets[crm].label}.`
              : 'For a file that goes back into your CRM: the same columns in the same order.'
          }
        />
      </Stack>
    </Radio.Group>
  );
}

const describeRows = (view: RowView, { shownOnly }: SaveOptions) =>
  shownOnly ? { rows: 'shown' as const, ...view } : {};

/** What the rules would change, after each change of them. */
function usePreview(job: StatusData, rows: object, draft: OverwriteDraft, isNeeded: boolean) {
  const body = { ...rows, overwrite: readRules(draft, false) };
  return useQuery({
    queryKey: ['export-preview', job.job_id, body],
    queryFn: ({ signal }) => ask(jobExports.preview, { job_id: job.job_id, ...body }, { signal }),
    enabled: isNeeded,
    placeholderData: keepPreviousData,
    // Rows may be reviewed or suppressed between two dialogs.
    gcTime: 0,
  });
}

function OverwritePart({
  preview: { data: diff, error, isFetching, refetch },
  draft,
  onDraft,
  isFaulty,
  addsFound,
  onAddsFound,
}: {
  preview: ReturnType<typeof usePreview>;
  draft: OverwriteDraft;
  onDraft: (draft: OverwriteDraft) => void;
  isFaulty: boolean;
  addsFound: boolean;
  onAddsFound: (adds: boolean) => void;
}) {
  if (error)
    return <ErrorPanel title="The changes could not be loaded" error={error} onRetry={refetch} />;
  if (!diff) return <Loader size="sm" aria-label="Comparing" />;
  if (diff.columns.length === 0)
    return (
      <Text size="sm">No column of your list corresponds to a found field: nothing changes.</Text>
    );
  return (
    <Stack gap="sm">
      <OverwriteTable diff={diff} draft={draft} onDraft={onDraft} />
      <Text size="sm" fw={550} role="status" className="numbers">
        {isFaulty
          ? 'Complete the rules to see the changes.'
          : isFetching
            ? 'Comparing…'
            : summarize(diff)}
      </Text>
      <Checkbox
        size="sm"
        label="Add the found values in separate columns"
        description="They follow your columns, as with “Everything”."
        checked={addsFound}
        onChange={(event) => onAddsFound(event.currentTarget.checked)}
      />
    </Stack>
  );
}

function useRecordCounts(job: StatusData, rows: object, preset: CrmExport | null) {
  return useQuery({
    queryKey: ['record-counts', job.job_id, rows, preset],
    queryFn: preset
      ? ({ signal }) =>
          ask(jobExports.countRecords, { job_id: job.job_id, ...rows, preset }, { signal })
      : skipToken,
    gcTime: 0,
  });
}

const newPeopleWords = { same: '', second: ' in a second file', none: ' in no file' } as const;

const ExtrasSchema = z.object({
  ownLists: z.boolean(),
  listColumns: z.boolean(),
  sources: z.boolean(),
});
/** Columns that are added to the file. */
type Extras = Readonly<z.infer<typeof ExtrasSchema>>;
const firstExtras: Extras = { ownLists: true, listColumns: false, sources: false };
/** The columns that were added to the last file. */
const keptExtras = createKeptChoice('desk-save-columns', ExtrasSchema);

interface ExtraBoxesProps {
  extras: Extras;
  onExtras: (extras: Extras) => void;
  ownColumns: readonly string[];
  listColumns: readonly string[];
  isForCrm: boolean;
}

function ExtraBoxes({ extras, onExtras, ownColumns, listColumns, isForCrm }: ExtraBoxesProps) {
  return (
    <>
      {ownColumns.length > 0 && (
        <Checkbox
          size="sm"
          label={isForCrm ? 'Columns kept by the import' : 'Ids and columns of your lists'}
          description={ownColumns.join(', ')}
          checked={extras.ownLists}
          onChange={(event) => onExtras({ ...extras, ownLists: event.currentTarget.checked })}
        />
      )}
      {listColumns.length > 0 && (
        <Checkbox
          size="sm"
          label="Also your list’s other columns"
          description={listColumns.join(', ')}
          checked={extras.listColumns}
          onChange={(event) => onExtras({ ...extras, listColumns: event.currentTarget.checked })}
        />
      )}
      {!isForCrm && (
        <Checkbox
          size="sm"
          label="Source, date and confidence"
          description="Three columns for each found value, at the end."
          checked={extras.sources}
          onChange={(event) => onExtras({ ...extras, sources: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

interface JobDialogProps {
  job: StatusData;
  view: RowView;
  columns: readonly string[];
  onClose: () => void;
}

function JobDialog({ job, view, columns, onClose }: JobDialogProps) {
  const [chosen, setOptions] = useState<SaveOptions | null>(null);
  const [content, setContent] = useState<Content>('everything');
  const [draft, setDraft] = useState<OverwriteDraft>({});
  const [addsFound, setAddsFound] = useState(false);
  const [chosenCrm, setCrm] = useState<CrmDraft | null>(null);
  const [extras, setExtras] = useState<Extras>(() => keptExtras.read() ?? firstExtras);
  const record = useRecordId(job.job_id, chosenCrm);
  const crm = record.draft;
  const { data: ids, isLoading } = record.query;
  // The format of the importer, or of the file that came in, until the user chooses another one.
  const incoming = ids?.format ?? firstOptions.format;
  const keptFor = crm.crm ?? incoming;
  const kept = useMemo(() => keptFormat(keptFor).read(), [keptFor]);
  const format = (crm.crm && crmPresets[crm.crm].format) ?? incoming;
  const options = chosen ?? { ...firstOptions, format, ...kept };
  const isOwn = content === 'own';
  const isForCrm = crm.crm !== null;
  const isShown = content === 'shown' && !isForCrm;
  const rows = describeRows(view, options);
  const isFaulty = Object.values(draft).some((one) => findFault(one) !== null);
  const preview = usePreview(job, rows, draft, isOwn && !isFaulty);
  const counts = useRecordCounts(job, rows, record.preset);
  const describeCounts = (found: RecordCounts) =>
    describeRecords(found, showCount, newPeopleWords[crm.newPeople]);
  const ownColumns = (crm.crm ? record.kept : ids?.own_columns) ?? [];
  const listColumns = ((crm.crm && ids?.list_columns[crm.crm]) ?? []).filter(
    (header) => header !== record.preset?.record_id,
  );
  const exportAs = (records: CrmExport['records']) => async (path: string | undefined) => {
    keptCrm.keep({ crm: crm.crm, newPeople: crm.newPeople });
    keptExtras.keep(extras);
    const answer = await ask(jobExports.write, {
      job_id: job.job_id,
      path,
      ...describeFormat(isForCrm ? { ...options, forExcel: false } : options),
      ...(record.preset
        ? {
            preset: {
              ...record.preset,
              ...(records ? { records } : {}),
              ...(extras.listColumns ? { list_columns: true } : {}),
            },
          }
        : {}),
      ...(isShown || ownColumns.length === 0 ? {} : { own_lists: extras.ownLists }),
      ...(extras.sources && !isForCrm ? { sources: true } : {}),
      ...rows,
      ...(isOwn ? { overwrite: readRules(draft, addsFound) } : {}),
      ...(isShown ? { columns: [...columns] } : {}),
    });
    // The dialog has said what the rows become in a file for a CRM.
    const { suppressed } = answer;
    const isSaid = answer.records !== null || suppressed === 0;
    const note = `${countOf(suppressed, 'row')} of suppressed people: all cells are empty.`;
    return { ...answer, note: isSaid ? undefined : note };
  };
  const nameFile = (records?: CrmExport['records']) =>
    `${job.title || 'job'}-${nameRows(record.preset && { ...record.preset, records })}`;
  const isSplit = isForCrm && crm.newPeople === 'second';
  return (
    <SaveDialog
      name={nameFile()}
      sentence={
        isForCrm
          ? 'One row per record of the CRM, in the order of your list.'
          : 'One row per row of your list, in its order.'
      }
      filter={nameView(view)}
      options={options}
      keptFor={keptFor}
      onOptions={setOptions}
      onClose={onClose}
      size={isOwn ? '64rem' : 'md'}
      isForImporter={isForCrm}
      isBlocked={isLoading || (isOwn && (isFaulty || !preview.data || preview.isFetching))}
      onExport={exportAs(isForCrm && crm.newPeople !== 'same' ? 'known' : undefined)}
      summary={
        isForCrm && (
          <Text size="sm" fw={550} role="status" className="numbers">
            {counts.data ? describeCounts(counts.data) : counts.error ? '' : 'Counting…'}
          </Text>
        )
      }
      second={isSplit ? { name: nameFile('new'), onExport: exportAs('new') } : undefined}
    >
      <CrmChoice draft={crm} onDraft={setCrm} record={record} />
      <ContentChoice
        content={isForCrm && content === 'shown' ? 'everything' : content}
        onContent={setContent}
        crm={crm.crm}
      />
      {isOwn && (
        <OverwritePart
          preview={preview}
          draft={draft}
          isFaulty={isFaulty}
          addsFound={addsFound}
          onDraft={setDraft}
          onAddsFound={setAddsFound}
        />
      )}
      {!isShown && (!isOwn || addsFound || isForCrm) && (
        <ExtraBoxes
          extras={extras}
          onExtras={setExtras}
          ownColumns={ownColumns}
          listColumns={listColumns}
          isForCrm={isForCrm}
        />
      )}
    </SaveDialog>
  );
}

interface SaveJobProps {
  job: StatusData;
  view: RowView;
  readColumns: () => readonly string[];
}

/** @param readColumns returns the columns that the grid shows, as the export names them */
export const SaveJob = ({ job, view, readColumns }: SaveJobProps) => (
  <SaveButton
    dialog={(onClose) => (
      <JobDialog job={job} view={view} columns={readColumns()} onClose={onClose} />
    )}
  />
);
