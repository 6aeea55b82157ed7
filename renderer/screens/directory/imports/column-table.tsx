// What each column of a list becomes in the directory, with a check of the first rows.
import { Alert, Box, Button, Checkbox, Group, Skeleton, Table, Text } from '@mantine/core';
import { type ImportKind, keptField } from '../../../../engine/contract/directory.ts';
import type { ImportPreview } from '../../../../engine/contract/records/import-preview.ts';
import type { Upload } from '../../../../engine/contract/uploads.ts';
import { countOf, showCount } from '../../../components/numbers.ts';
import tableClasses from '../../../components/table.module.css';
import { Caption, Note } from '../../../components/text.tsx';
import classes from '../directory.module.css';
import { fieldsOf, type Picks } from './chosen-lists.ts';

function describeCells({ first_rows: rows }: Upload, at: number) {
  const filled = rows.map((row) => row[at]?.trim() ?? '').filter(Boolean);
  return { example: filled[0] ?? '', filled: filled.length };
}

interface KeepBoxProps {
  header: string;
  isKept: boolean;
  onKept: ((isKept: boolean) => void) | null;
}

/** What happens to a column that becomes no field. */
function KeepBox({ header, isKept, onKept }: KeepBoxProps) {
  if (!onKept) return <Note>Not imported</Note>;
  return (
    <Checkbox
      size="xs"
      label={isKept ? 'Kept as it is' : 'Not imported'}
      aria-label={`Keep ${header} as it is`}
      checked={isKept}
      onChange={(event) => onKept(event.currentTarget.checked)}
    />
  );
}

interface ColumnRowProps {
  /** Keeps the column, or no longer; null for a column that cannot be kept. */
  onKept: ((isKept: boolean) => void) | null;
  header: string;
  at: number;
  kind: ImportKind;
  upload: Upload;
  preview: ImportPreview;
  isChosen: boolean;
}

function ColumnRow({ header, at, kind, upload, preview, isChosen, onKept }: ColumnRowProps) {
  const field = preview.columns[at] ?? null;
  const { example, filled } = describeCells(upload, at);
  const remarks = field === null ? [] : preview.remarks.filter(({ column }) => column === header);
  const [first] = remarks;
  return (
    <Table.Tr>
      <Table.Th scope="row" className={tableClasses.name} fw={550}>
        {header || `Column ${at + 1}`}
      </Table.Th>
      <Table.Td className={classes.example} title={example} dir="auto">
        {example || '–'}
      </Table.Td>
      <Table.Td>
        {field === null || field === keptField ? (
          <KeepBox header={header} isKept={field === keptField} onKept={onKept} />
        ) : (
          <>
            {fieldsOf[kind][field] ?? field}
            {isChosen && <Caption span> (your choice)</Caption>}
          </>
        )}
      </Table.Td>
      <Table.Td className={tableClasses.name}>
        {first ? (
          <Text size="sm" c="var(--desk-ambiguous)">
            Line {showCount(first.line)}: {first.message}
            {remarks.length > 1 && ` ${countOf(remarks.length - 1, 'more row')} like it.`}
          </Text>
        ) : (
          <Note>
            {showCount(filled)} of {countOf(upload.first_rows.length, 'row')} filled
          </Note>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function describeGood(checked: number, all: number, remarks: number): string {
  if (checked === 0) return 'The list has no rows.';
  const noted = remarks === 0 ? '' : `, with ${countOf(remarks, 'remark')}`;
  if (checked >= all) return `Every row was checked and can be imported${noted}.`;
  return (
    `The first ${countOf(checked, 'row')} were checked, and all can be imported${noted}. ` +
    'The import reads the whole list.'
  );
}

function Check({ upload, preview }: { upload: Upload; preview: ImportPreview }) {
  if (preview.refusal !== null)
    return (
      <Alert color="yellow" role="status" title="This list cannot be imported yet" mb="sm">
        {preview.refusal}
      </Alert>
    );
  const { rows, rows_refused: refused, remarks } = preview;
  const first = remarks.find(({ column }) => column === undefined) ?? remarks[0];
  if (refused === 0)
    return (
      <Text size="sm" role="status" mb="sm">
        {describeGood(rows, upload.row_count, remarks.length)}
      </Text>
    );
  return (
    <Text size="sm" role="status" mb="sm" c="var(--desk-ambiguous)">
      {showCount(refused)} of the first {countOf(rows, 'row')} would be left out.
      {first && ` Line ${showCount(first.line)}: ${first.message}`}
    </Text>
  );
}

/** The table; a skeleton until the engine has read the rows. */
export function ColumnTable({
  kind,
  name,
  upload,
  preview,
  picks,
  keep,
  onKeep,
}: {
  keep: readonly string[];
  onKeep: (keep: readonly string[]) => void;
  kind: ImportKind;
  name: string;
  upload: Upload;
  preview: ImportPreview | undefined;
  picks: Picks;
}) {
  if (!preview) return <Skeleton height={160} radius="md" />;
  const chosen = Object.values(picks);
  // Headers may repeat.
  const numbered = upload.headers.map((header, at) => ({ at, header: header.trim() }));
  const others = numbered.flatMap(({ at, header }) =>
    preview.columns[at] === null && header !== '' ? [header] : [],
  );
  return (
    <div>
      <Check upload={upload} preview={preview} />
      {(others.length > 0 || preview.columns.includes(keptField)) && (
        <Group justify="space-between" gap="sm" mb="sm">
          <Note maw={720}>
            A kept column, such as an owner or a lifecycle stage, comes back with every match.
          </Note>
          {others.length > 0 && (
            <Button size="xs" onClick={() => onKeep([...new Set([...keep, ...others])])}>
              {others.length === 1
                ? 'Keep the other column'
                : `Keep all ${others.length} other columns`}
            </Button>
          )}
        </Group>
      )}
      <Box
        component="section"
        className={classes.columns}
        tabIndex={0}
        aria-label={`What ${name} becomes`}
      >
        <Table className={tableClasses.table} horizontalSpacing="md" stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Column</Table.Th>
              <Table.Th>First value</Table.Th>
              <Table.Th>Becomes</Table.Th>
              <Table.Th>Check</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {numbered.map(({ at, header }) => (
              <ColumnRow
                key={at}
                header={header}
                at={at}
                kind={kind}
                upload={upload}
                preview={preview}
                isChosen={chosen.includes(header)}
                onKept={
                  header === ''
                    ? null
                    : (isKept) =>
                        onKeep(
                          isKept ? [...keep, header] : keep.filter((other) => other !== header),
                        )
                }
              />
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </div>
  );
}
