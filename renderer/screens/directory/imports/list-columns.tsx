// One list before its import: its first rows, and the choice of its columns.
import { Button, Collapse, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import {
  type CompanyImportField,
  type ImportKind,
  keptField,
  type PersonImportField,
} from '../../../../engine/contract/directory.ts';
import type { ImportPreview } from '../../../../engine/contract/records/import-preview.ts';
import type { Upload } from '../../../../engine/contract/uploads.ts';
import type { ReadingChoice } from '../../../api/upload.ts';
import { ColumnSelect } from '../../../components/column-select.tsx';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { FirstRows, FirstRowsComing } from '../../../components/first-rows.tsx';
import { ReadingQuestions } from '../../../components/reading-questions.tsx';
import { Note } from '../../../components/text.tsx';
import { keepPicks, recallPicks } from '../../enrich/kept-columns.ts';
import classes from '../directory.module.css';
import {
  asksWideLines,
  type ChosenList,
  fieldsOf,
  isRefused,
  listHeaders,
  type Picks,
  type useImportPreview,
  type useReadList,
} from './chosen-lists.ts';
import { ColumnTable } from './column-table.tsx';

const previewLines = 6;

const listTitles: Readonly<Record<ImportKind, string>> = {
  people: 'People in',
  companies: 'Companies in',
};

const needs: Readonly<Record<ImportKind, string>> = {
  people:
    'A row needs a name, an email or a profile URL. Full name is used if a row has neither ' +
    'first nor last name.',
  companies: 'A row needs a company name.',
};

type Starts<Field extends string> = Readonly<Partial<Record<Field, string>>>;
const personGroups: Starts<PersonImportField> = {
  full_name: 'Name',
  email: 'Contact and place',
  title: 'Job',
  company_name: 'Company',
  id: 'This list',
};
const companyGroups: Starts<CompanyImportField> = {
  name: 'Company',
  domain: 'Contact and place',
  id: 'This list',
};
/** The first field of each group → the group's title. */
const groupsOf: Readonly<Record<ImportKind, Readonly<Record<string, string>>>> = {
  people: personGroups,
  companies: companyGroups,
};

/** A list's fields with labels, in groups. */
function groupFields(kind: ImportKind): { title: string; fields: [string, string][] }[] {
  const groups: { title: string; fields: [string, string][] }[] = [];
  for (const entry of Object.entries(fieldsOf[kind])) {
    const title = groupsOf[kind][entry[0]];
    if (title) groups.push({ title, fields: [] });
    groups.at(-1)?.fields.push(entry);
  }
  return groups;
}

function explainChoice(kind: ImportKind, headers: readonly string[]): string {
  const named = headers.map((header) => header.trim()).filter(Boolean);
  return [
    'Your choice overrides automatic matching, and the column is not used for any other field. ' +
      'A field without a choice is matched by its usual headers, or stays empty.',
    needs[kind],
    ...(new Set(named).size < named.length
      ? ['If several columns share a name, the first one is used.']
      : []),
    ...(named.length < headers.length ? ['A column without a header cannot be chosen.'] : []),
  ].join(' ');
}

function describePicks(kind: ImportKind, picks: Picks): string {
  const chosen = Object.entries(picks).map(
    ([field, header]) => `${fieldsOf[kind][field]} from "${header}"`,
  );
  return chosen.length
    ? `Your choices: ${chosen.join(', ')}. The other columns are matched by their headers.`
    : 'Columns are matched by their headers. To change one, choose the column of a field.';
}

/** Field → the header of the column that becomes it. */
const listMatched = (
  headers: readonly string[],
  columns: readonly (string | null)[] | undefined,
): Picks =>
  Object.fromEntries(
    (columns ?? []).flatMap((field, at) =>
      field === null || field === keptField ? [] : [[field, headers[at] ?? '']],
    ),
  );

interface ColumnChoiceProps {
  kind: ImportKind;
  headers: readonly string[];
  /** Field → the header that is matched without a choice. */
  matched: Picks;
  picks: Picks;
  onPicks: (picks: Picks) => void;
}

function ColumnChoice({ kind, headers, matched, picks, onPicks }: ColumnChoiceProps) {
  const options = listHeaders(headers);
  const choose = (field: string, header: string | null) => {
    const { [field]: _left, ...others } = picks;
    onPicks(header === null ? others : { ...others, [field]: header });
  };
  return (
    <>
      <Note mb="md" maw={860}>
        {explainChoice(kind, headers)}
      </Note>
      {groupFields(kind).map(({ title, fields }) => (
        <fieldset key={title} className={classes.group}>
          <legend className={classes.legend}>{title}</legend>
          <div className={classes.fields}>
            {fields.map(([field, label]) => (
              <ColumnSelect
                key={field}
                label={label}
                placeholder={matched[field] ?? 'None'}
                clearLabel={`Match ${label} automatically`}
                data={options}
                value={picks[field] ?? null}
                onChange={(header) => choose(field, header)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <Group justify="flex-end" mt="md">
        <Button size="xs" disabled={Object.keys(picks).length === 0} onClick={() => onPicks({})}>
          Match all automatically
        </Button>
      </Group>
    </>
  );
}

interface ColumnsFoldProps {
  kind: ImportKind;
  headers: readonly string[];
  preview: ImportPreview | undefined;
  picks: Picks;
  onPicks: (picks: Picks) => void;
}

/** The choice of columns, folded until it is wanted. */
function ColumnsFold({ kind, headers, preview, picks, onPicks }: ColumnsFoldProps) {
  const [open, { toggle }] = useDisclosure(false);
  const choiceId = useId();
  const Chevron = open ? IconChevronUp : IconChevronDown;
  return (
    <>
      <div className={classes.choice}>
        <Text size="sm" role="status" className={classes.words}>
          {describePicks(kind, picks)}
        </Text>
        <Button
          size="xs"
          rightSection={<Chevron size={14} aria-hidden />}
          onClick={toggle}
          aria-expanded={open}
          aria-controls={choiceId}
        >
          Columns
        </Button>
      </div>
      <Collapse expanded={open} transitionDuration={120} id={choiceId}>
        <ColumnChoice
          kind={kind}
          headers={headers}
          matched={listMatched(headers, preview?.columns)}
          picks={picks}
          onPicks={onPicks}
        />
      </Collapse>
    </>
  );
}

/** Applies the columns that were chosen for the header of a list before, once for each upload. */
function useRecalledPicks(
  kind: ImportKind,
  upload: Upload | undefined,
  onRecalled: (picks: Picks) => void,
): void {
  const recalledFor = useRef<string | null>(null);
  useEffect(() => {
    if (!upload || recalledFor.current === upload.upload_id) return;
    recalledFor.current = upload.upload_id;
    const picks = recallPicks(kind, upload);
    if (Object.keys(picks).length > 0) onRecalled(picks);
  });
}

export function ListColumns({
  kind,
  name,
  list,
  read,
  preview,
  keep,
  onKeep,
  onChange,
}: {
  kind: ImportKind;
  name: string;
  list: ChosenList;
  read: ReturnType<typeof useReadList>;
  preview: ReturnType<typeof useImportPreview>;
  /** Headers of the columns of both lists that are kept. */
  keep: readonly string[];
  /** Changes them; null for those that the engine keeps. */
  onKeep: (keep: readonly string[] | null) => void;
  onChange: (list: ChosenList) => void;
}) {
  const { data, error } = read;
  const { picks, reading } = list;
  // Another reading may have other columns.
  const readAgain = (choice: ReadingChoice) => {
    onKeep(null);
    onChange({ ...list, picks: {}, reading: { ...reading, ...choice } });
  };
  const onPicks = (next: Picks) => {
    if (data) keepPicks(kind, data, next);
    onChange({ ...list, picks: next });
  };
  useRecalledPicks(kind, data, (recalled) => onChange({ ...list, picks: recalled }));
  if (!data)
    return (
      <div className={classes.list}>
        {error ? (
          <>
            <ErrorPanel
              title={
                isRefused(list, error)
                  ? `${name} cannot be imported`
                  : `The first rows of ${name} cannot be shown`
              }
              error={error}
            />
            {Object.keys(reading).length > 0 && (
              <Button size="xs" mt="sm" onClick={() => onChange({ ...list, reading: {} })}>
                Read the file as before
              </Button>
            )}
          </>
        ) : (
          <FirstRowsComing linesMax={previewLines} />
        )}
      </div>
    );
  return (
    <section aria-label={`The columns of ${name}`} className={classes.list}>
      <Title order={3}>
        {listTitles[kind]} <span className={classes.name}>{name}</span>
      </Title>
      <Stack gap="sm" className={classes.questions}>
        <ReadingQuestions
          upload={data}
          isAsked={asksWideLines(list, data)}
          busy={read.isPlaceholderData}
          areNamesUnknown={preview.data?.columns.every((field) => field === null) === true}
          leftOutNote="The report of the import lists them."
          onRead={readAgain}
          onLeaveOut={() =>
            onChange({ ...list, reading: { ...reading, extra_cells: 'leave_out' } })
          }
        />
      </Stack>
      <FirstRows
        label={`First rows of ${name}`}
        labels={data.labels}
        rows={data.first_rows.slice(0, previewLines - 1)}
        linesMax={previewLines}
      />
      {preview.error ? (
        <ErrorPanel
          title="The columns could not be checked"
          error={preview.error}
          onRetry={preview.refetch}
        />
      ) : (
        <ColumnTable
          kind={kind}
          name={name}
          upload={data}
          preview={preview.data}
          picks={picks}
          keep={keep}
          onKeep={onKeep}
        />
      )}
      <ColumnsFold
        kind={kind}
        headers={data.headers}
        preview={preview.data}
        picks={picks}
        onPicks={onPicks}
      />
    </section>
  );
}
