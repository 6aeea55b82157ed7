// The rules of the columns that found values may replace, and what each rule changes.
import { MultiSelect, Select, Stack, Table } from '@mantine/core';
import { Fragment } from 'react';
import {
  type ColumnDiff,
  directorySource,
  type OverwriteDiff,
  type OverwriteRule,
} from '../../../engine/contract/exports/overwrite.ts';
import { countOf, showCount } from '../../components/numbers.ts';
import numbers from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption } from '../../components/text.tsx';
import classes from './overwrite.module.css';
import {
  findFault,
  firstRule,
  type OverwriteDraft,
  type RuleDraft,
  ruleNames,
} from './overwrite-draft.ts';

interface RuleProps {
  readonly column: string;
  readonly draft: RuleDraft;
  readonly diff: OverwriteDiff;
  readonly onChange: (draft: RuleDraft) => void;
}

function RuleFields({ column, draft, diff, onChange }: RuleProps) {
  const headers = [...new Set(diff.headers)].filter((header) => header !== column);
  const fault = findFault(draft);
  return (
    <Stack gap={6}>
      <Select
        aria-label={`Rule for ${column}`}
        size="xs"
        allowDeselect={false}
        value={draft.rule}
        onChange={(rule) => rule && onChange({ ...draft, rule: rule as OverwriteRule })}
        data={Object.entries(ruleNames).map(([value, label]) => ({ value, label }))}
      />
      {draft.rule === 'newer' && (
        <Select
          aria-label={`Day of the row for ${column}`}
          size="xs"
          placeholder="Column with the day"
          searchable
          value={draft.dateColumn}
          error={fault}
          onChange={(dateColumn) => onChange({ ...draft, dateColumn })}
          data={headers}
        />
      )}
      {draft.rule === 'trusted' && (
        <MultiSelect
          aria-label={`Trusted sources for ${column}`}
          size="xs"
          placeholder={draft.sources.length === 0 ? 'Sources' : ''}
          value={[...draft.sources]}
          error={fault}
          onChange={(sources) => onChange({ ...draft, sources })}
          data={[
            { value: directorySource, label: 'Directory (any import)' },
            ...diff.sources.filter((one) => one !== directorySource),
          ]}
        />
      )}
    </Stack>
  );
}

const outcomes = ['filled', 'replaced', 'kept', 'same', 'not_found'] as const;

const hasExamples = ({ examples, unread_days: unread }: ColumnDiff): boolean =>
  examples.length > 0 || unread > 0;

/** The first cells of a column that its rule changes or keeps. */
function Examples({ column }: { column: ColumnDiff }) {
  if (!hasExamples(column)) return null;
  return (
    <Table.Tr className={classes.examples}>
      <Table.Td colSpan={3 + outcomes.length}>
        <ul className={classes.list} aria-label={`Examples of ${column.column}`}>
          {column.examples.map(({ row, outcome, old, found, source, observed_on: day }) => (
            <li key={`${row} ${outcome}`}>
              <span className={classes.row}>Row {showCount(row)}</span>
              {old.trim() === '' ? (
                <span className={classes.none}>empty</span>
              ) : outcome === 'replaced' ? (
                <del>{old}</del>
              ) : (
                <span>{old}</span>
              )}
              {outcome === 'kept' ? (
                <span className={classes.none}>kept; found {found}</span>
              ) : (
                <>
                  <span aria-hidden>→</span>
                  <ins>{found}</ins>
                </>
              )}
              <span className={classes.none}>{[source, day].filter(Boolean).join(', ')}</span>
            </li>
          ))}
        </ul>
        {column.unread_days > 0 && (
          <Caption>
            {countOf(column.unread_days, 'cell')} kept, because the day of the row cannot be read.
          </Caption>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

interface OverwriteTableProps {
  diff: OverwriteDiff;
  draft: OverwriteDraft;
  onDraft: (draft: OverwriteDraft) => void;
}

export function OverwriteTable({ diff, draft, onDraft }: OverwriteTableProps) {
  return (
    <TableCard
      label="Overwrite rules"
      widthMinPx={680}
      columns={[
        'Your column',
        'Found in',
        'Rule',
        '>Filled',
        '>Replaced',
        '>Kept',
        '>Same',
        '>Not found',
      ]}
    >
      {diff.columns.map((column) => (
        <Fragment key={column.index}>
          <Table.Tr className={hasExamples(column) ? classes.ruled : ''}>
            <Table.Td className={numbers.name}>{column.column}</Table.Td>
            <Table.Td>{column.fields.join(' or ')}</Table.Td>
            <Table.Td miw={180}>
              <RuleFields
                column={column.column}
                draft={draft[column.column] ?? firstRule}
                diff={diff}
                onChange={(one) => onDraft({ ...draft, [column.column]: one })}
              />
            </Table.Td>
            {outcomes.map((outcome) => (
              <Table.Td key={outcome} className={numbers.number}>
                {showCount(column.counts[outcome])}
              </Table.Td>
            ))}
          </Table.Tr>
          <Examples column={column} />
        </Fragment>
      ))}
    </TableCard>
  );
}
