// Step 2: which column contains what, what is missing and why it matters, what is kept.
import { Button, Collapse, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import {
  type ColumnMapping,
  isOfCompanies,
  listMapped,
  mappedNames,
  namesPeople,
  type RowInputField,
  rowInputFields,
} from '../../../engine/contract/jobs/row-input.ts';
import { suggestedWords, type Upload } from '../../../engine/contract/uploads.ts';
import { ColumnSelect } from '../../components/column-select.tsx';
import { countOf, showCount } from '../../components/numbers.ts';
import { fieldLabels } from '../../components/words.ts';
import classes from './enrich.module.css';
import { type Flow, useFlow } from './flow.tsx';
import { keepColumns } from './kept-columns.ts';
import { Step } from './step.tsx';

const peopleFields: readonly ChoiceField[] = [
  'full_name',
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
];
const companyFields: readonly ChoiceField[] = [
  'company_name',
  'company_domain',
  'phone',
  'country',
  'client_reference_id',
];
const allFields: readonly ChoiceField[] = ['full_name', ...rowInputFields];

/** Whether any row can be matched: to a person, or to a company. */
export const canIdentify = (mapping: ColumnMapping): boolean =>
  namesPeople(mapping) ||
  mapping.company_name !== undefined ||
  mapping.company_domain !== undefined;

interface Note {
  readonly tone: 'wrong' | 'warning' | 'fact';
  readonly text: string;
  /** The column that one click chooses. */
  readonly suggested?: Upload['suggestions'][number];
}

/** Unused columns that look like a field that still has no column. */
function describeSuggestions(mapping: ColumnMapping, upload: Upload): Note[] {
  const used = new Set(Object.values(mapping));
  const hasName = mapping.first_name !== undefined || mapping.last_name !== undefined;
  return upload.suggestions.flatMap((suggested): Note[] => {
    const { column, field } = suggested;
    const isTaken = field === 'full_name' ? hasName : mapping[field] !== undefined;
    if (isTaken || used.has(column)) return [];
    const label = upload.labels[column] ?? '';
    const text =
      `The values of “${label}” look like ${suggestedWords[field]}. ` +
      'Use them if they are the contact’s.';
    return [{ tone: 'warning', text, suggested }];
  });
}

function describeMapping(
  mapping: ColumnMapping,
  upload: Upload,
  { isFullName, isChecked }: { readonly isFullName: boolean; readonly isChecked: boolean },
): Note[] {
  const has = (field: RowInputField) => mapping[field] !== undefined;
  const notes: Note[] = [];
  if (!canIdentify(mapping))
    notes.push({
      tone: 'wrong',
      text:
        'Choose a column for a name, email, profile URL, company or website. Otherwise no row ' +
        'can be matched.',
    });
  else if (!namesPeople(mapping))
    notes.push({
      tone: 'fact',
      text:
        'No column about a person: rows are matched to companies, and layers about companies ' +
        'answer.',
    });
  else if (!has('email') && !has('profile_url') && !has('company_name') && !has('company_domain'))
    notes.push({
      tone: 'warning',
      text: 'Without a company or an email, only unique names can be matched.',
    });
  else if (!has('email') && !has('profile_url'))
    notes.push({
      tone: 'fact',
      text: 'No email or profile URL: name and company decide. Common names stay unmatched.',
    });
  if (!isFullName && has('first_name') !== has('last_name'))
    notes.push({
      tone: 'fact',
      text: 'Names are in one column. Full names, such as "Doe, Jane", are split.',
    });
  const nameless = countOf(upload.rows_without_identity, 'row has', 'rows have');
  const asRecognised = JSON.stringify(mapping) === JSON.stringify(upload.mapping);
  if (!isChecked && asRecognised && upload.rows_without_identity > 0)
    notes.push({
      tone: 'warning',
      text: `${nameless} no email, profile URL, name or company: skipped, not charged.`,
    });
  return [...notes, ...describeSuggestions(mapping, upload)];
}

/** The column of full names that is mapped now; null if names are in two columns. */
const activeFullName = ({ mapping, fullName }: Flow): number | null =>
  fullName !== null && mapping.first_name === fullName && mapping.last_name === undefined
    ? fullName
    : null;

/** The fields to choose columns for. A full name is mapped to the first name, and split. */
type ChoiceField = RowInputField | 'full_name';

const nameFields: readonly ChoiceField[] = ['full_name', 'first_name', 'last_name'];

/** The mapping after a column was chosen for a field, or taken from it (null). */
function chooseColumn(flow: Flow, field: ChoiceField, column: number | null) {
  const mapping: ColumnMapping = { ...flow.mapping };
  for (const other of mappedNames)
    if (column !== null && mapping[other] === column) delete mapping[other];
  // Names are in one column or in two.
  const wasFull = activeFullName(flow) !== null;
  if (nameFields.includes(field) && (wasFull || field === 'full_name')) delete mapping.first_name;
  if (field === 'full_name') delete mapping.last_name;
  const target = field === 'full_name' ? 'first_name' : field;
  delete mapping[target];
  if (column !== null) mapping[target] = column;
  const isName = nameFields.includes(field);
  return { mapping, fullName: isName ? (field === 'full_name' ? column : null) : flow.fullName };
}

const fieldName = (field: ChoiceField): string =>
  field === 'full_name' ? 'Full name' : fieldLabels[field];

function FieldSelect({ field, upload }: { field: ChoiceField; upload: Upload }) {
  const { flow, actions } = useFlow();
  const full = activeFullName(flow);
  const column =
    field === 'full_name'
      ? full
      : field === 'first_name' && full !== null
        ? null
        : (flow.mapping[field] ?? null);
  const choose = (value: string | null) => {
    const choice = chooseColumn(flow, field, value === null ? null : Number(value));
    keepColumns(upload, choice);
    actions.change(choice);
  };
  return (
    <ColumnSelect
      label={fieldName(field)}
      placeholder={
        full !== null && nameFields.includes(field) && field !== 'full_name'
          ? 'from full name'
          : 'not in this file'
      }
      clearLabel={`Clear ${fieldName(field)}`}
      value={column === null ? null : String(column)}
      onChange={choose}
      data={upload.labels.map((label, index) => ({ value: String(index), label }))}
    />
  );
}

// The words of the interface are English in every locale.
const englishList = new Intl.ListFormat('en-GB');

function describeKept(mapping: ColumnMapping, labels: readonly string[]): string {
  const used = new Set(Object.values(mapping));
  const kept = labels.filter((_, index) => !used.has(index));
  if (kept.length === 0) return 'All your columns are kept.';
  const rest = kept.length > 8 ? [`${showCount(kept.length - 8)} more`] : [];
  const shown = englishList.format([...kept.slice(0, 8), ...rest]);
  return `All your columns are kept, including ${shown}.`;
}

/** The columns that match rows, each with its field where the names differ. */
const describeUsed = (flow: Flow, labels: readonly string[]): string =>
  rowInputFields
    .flatMap((field) => {
      const column = flow.mapping[field];
      if (column === undefined) return [];
      const name = column === activeFullName(flow) ? fieldName('full_name') : fieldName(field);
      const all = listMapped(flow.mapping, field).map(
        (one) => labels[flow.mapping[one] ?? -1] ?? '',
      );
      const label = all.join(', else ');
      return label.toLowerCase() === name.toLowerCase() ? [label] : [`${name} ← ${label}`];
    })
    .join(', ');

interface ColumnsStepProps {
  /** Null at the side of a grid. */
  number?: number | null;
  upload: Upload;
  templates?: ReactNode;
  lasting?: ReactNode;
}

/**
 * The step. `templates` keep its choices; `lasting` shows rows that could be left out, where the
 * caller can leave them out, and stays while the step is folded.
 */
export function ColumnsStep({ number = 2, upload, templates, lasting }: ColumnsStepProps) {
  const { flow, actions } = useFlow();
  const chosen = rowInputFields.filter((field) => flow.mapping[field] !== undefined);
  const mainFields = isOfCompanies(upload.mapping) ? companyFields : peopleFields;
  const moreFields = allFields.filter((field) => !mainFields.includes(field));
  const [open, { toggle }] = useDisclosure(chosen.some((field) => moreFields.includes(field)));
  const used = describeUsed(flow, upload.labels);
  const asRecognised = () => {
    const choice = { mapping: upload.mapping, fullName: upload.full_name_column };
    keepColumns(upload, choice);
    actions.change({ ...choice, recalled: null });
  };
  const fields = useRef<HTMLDivElement>(null);
  const use = ({ field, column }: Upload['suggestions'][number]) => {
    const choice = chooseColumn(flow, field, column);
    keepColumns(upload, choice);
    actions.change(choice);
    // The button goes away with its note.
    fields.current?.focus();
  };
  const notes = describeMapping(flow.mapping, upload, {
    isFullName: activeFullName(flow) !== null,
    isChecked: lasting !== undefined,
  });
  const moreButton = (
    <Button size="xs" onClick={toggle} aria-expanded={open}>
      {open ? 'Fewer fields' : 'More fields'}
    </Button>
  );
  return (
    <Step
      {...(number !== null && { number })}
      title="Columns"
      facts={
        <>
          <strong>{used || 'No column is used to match'}</strong>
          {number !== null && ` · ${describeKept(flow.mapping, upload.labels)}`}
        </>
      }
      action={moreButton}
      isSettled={notes.every(({ tone }) => tone === 'fact')}
      selfFolding={{
        subject: upload.upload_id,
        // At the side of a grid a fact is on request: the layers below stay in sight.
        isPlain:
          (number === null ? notes.every(({ tone }) => tone === 'fact') : notes.length === 0) &&
          flow.recalled === null,
      }}
      lasting={lasting}
    >
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map(({ tone, text, suggested }) => (
            <li key={text} className={classes.note} data-tone={tone}>
              {tone === 'fact' ? (
                <IconInfoCircle size={16} aria-hidden />
              ) : (
                <IconAlertTriangle size={16} aria-hidden />
              )}
              <Text size="sm">{text}</Text>
              {suggested && (
                <Button
                  size="compact-sm"
                  aria-label={`Use ${upload.labels[suggested.column] ?? ''}`}
                  onClick={() => use(suggested)}
                >
                  Use
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div ref={fields} tabIndex={-1} className={classes.fields}>
        {mainFields.map((field) => (
          <FieldSelect key={field} field={field} upload={upload} />
        ))}
      </div>
      <Collapse expanded={open} transitionDuration={120}>
        <div className={classes.fields}>
          {moreFields.map((field) => (
            <FieldSelect key={field} field={field} upload={upload} />
          ))}
        </div>
      </Collapse>
      {flow.recalled !== null && (
        <Group gap="sm" role="status">
          <Text size="sm">These columns were chosen for the last list with this header.</Text>
          <Button size="compact-sm" onClick={asRecognised}>
            Undo
          </Button>
        </Group>
      )}
      {templates}
    </Step>
  );
}
