// Questions about how a file is read: its sheet, its column names, and lines with extra cells.
import {
  Alert,
  Button,
  Group,
  ScrollArea,
  SegmentedControl,
  Select,
  Table,
  Text,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useId } from 'react';
import { headerLinesMax } from '../../engine/contract/limits/spreadsheet.ts';
import { encodingLabels } from '../../engine/contract/reading/encoding-labels.ts';
import { type Encoding, encodingNames } from '../../engine/contract/reading/encodings.ts';
import { groupRemarks } from '../../engine/contract/reading/group-remarks.ts';
import {
  otherLineWords,
  type ReadList,
  textBehindKind,
} from '../../engine/contract/reading/reading.ts';
import type { Upload } from '../../engine/contract/uploads.ts';
import type { ReadingChoice } from '../api/upload.ts';
import { countOf, showCount } from './numbers.ts';
import { MoreRemarks } from './remarks.tsx';
import { Caption } from './text.tsx';

interface Answers {
  /** Reads the file again with these options besides the earlier ones. */
  readonly onRead: (choice: ReadingChoice) => void;
  /** Continues without the lines that have extra cells. */
  readonly onLeaveOut: () => void;
}

interface Questions extends Answers {
  readonly upload: Upload;
  /** Whether lines with extra cells wait for a decision. */
  readonly isAsked: boolean;
  readonly busy: boolean;
  /** Whether no column was recognised by its name, as if the first row were no header. */
  readonly areNamesUnknown: boolean;
  /** Where the lines are that were left out, as a sentence. */
  readonly leftOutNote: string;
  /** Whether rows of several people can be split: an import always does. */
  readonly offersRows?: boolean;
  /** Without what `ReadingOffers` shows. */
  readonly isBrief?: boolean;
}

const sheetLabel = ({ name, rows }: ReadList['sheets'][number]): string =>
  rows === null ? name : `${name} · ${countOf(rows, 'line')}`;

/** Nothing for one sheet. Never disabled, which would take the keyboard's focus away. */
function SheetPicker({ reading, onRead }: { reading: ReadList } & Pick<Answers, 'onRead'>) {
  if (reading.sheets.length < 2) return null;
  return (
    <Select
      label="Sheet"
      description={`One of ${showCount(reading.sheets.length)} sheets of this workbook is read.`}
      maw={360}
      size="sm"
      allowDeselect={false}
      openOnFocus={false}
      value={reading.sheet}
      onChange={(sheet) =>
        sheet !== null && onRead({ sheet, header: 'auto', header_line: undefined })
      }
      data={[...new Map(reading.sheets.map((sheet) => [sheet.name, sheet])).values()].map(
        (sheet) => ({ value: sheet.name, label: sheetLabel(sheet) }),
      )}
    />
  );
}

/** Asks whether the first row has the column names, unless it is plain that it has. */
function HeaderQuestion({
  upload,
  areNamesUnknown,
  onRead,
}: Pick<Questions, 'upload' | 'areNamesUnknown' | 'onRead'>) {
  const id = useId();
  const { reading } = upload;
  const isUnknown = reading.header && areNamesUnknown;
  if (reading.header && !reading.first_row_is_contact && !isUnknown) return null;
  return (
    <Group gap="md" role="group" aria-labelledby={id}>
      <Text size="sm" id={id}>
        {reading.first_row_is_contact
          ? 'The first row looks like a contact. '
          : isUnknown && 'No column name was recognised. '}
        Does your file have column names?
      </Text>
      <SegmentedControl
        size="sm"
        aria-labelledby={id}
        value={reading.header ? 'yes' : 'no'}
        onChange={(header) =>
          onRead({
            header: header === 'yes' ? 'yes' : 'no',
            header_line: undefined,
          })
        }
        data={[
          { value: 'no', label: 'No, every row is data' },
          { value: 'yes', label: 'Yes, in the first row' },
        ]}
      />
    </Group>
  );
}

function WideTable({ reading: { wide_lines: lines, wide_count: count } }: { reading: ReadList }) {
  return (
    <>
      <ScrollArea.Autosize
        mah={180}
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'Lines with extra cells' }}
      >
        <Table withRowBorders={false} verticalSpacing={2}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={90}>Line</Table.Th>
              <Table.Th w={70}>Cells</Table.Th>
              <Table.Th>Text</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="numbers">
            {lines.map(({ line, cells, text }) => (
              <Table.Tr key={line}>
                <Table.Td>{showCount(line)}</Table.Td>
                <Table.Td>{showCount(cells)}</Table.Td>
                <Table.Td>
                  <Text size="sm" truncate maw={480}>
                    {text}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {count > lines.length && (
        <Caption mt={4}>
          The first {showCount(lines.length)} of {showCount(count)} lines.
        </Caption>
      )}
    </>
  );
}

/** Asks what happens to lines with extra cells. Nothing continues before the answer. */
function WideQuestion({
  upload,
  busy,
  onRead,
  onLeaveOut,
}: Pick<Questions, 'upload' | 'busy' | 'onRead' | 'onLeaveOut'>) {
  const { reading } = upload;
  const lines = countOf(reading.wide_count, 'line has', 'lines have');
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title={`${lines} more cells than the ${countOf(upload.labels.length, 'column')}`}
    >
      <Text size="sm" mb="xs">
        A value may contain the delimiter without quotes. You can also fix the file and drop it
        again.
      </Text>
      <WideTable reading={reading} />
      <Group mt="md" gap="sm">
        <Button variant="filled" size="xs" onClick={onLeaveOut} disabled={busy}>
          Leave out {countOf(reading.wide_count, 'line')}
        </Button>
        <Button size="xs" disabled={busy} onClick={() => onRead({ extra_cells: 'keep' })}>
          Keep the extra cells in a column
        </Button>
      </Group>
    </Alert>
  );
}

function WideDecision({
  upload: { reading },
  busy,
  leftOutNote,
  onRead,
}: Pick<Questions, 'upload' | 'busy' | 'leftOutNote' | 'onRead'>) {
  if (reading.wide_count === 0) return null;
  const isKept = reading.extra_cells === 'keep';
  const lines = countOf(reading.wide_count, 'line');
  return (
    <Group gap="sm" role="status">
      <Text size="sm">
        {isKept
          ? `The extra cells of ${lines} are in the column "Extra cells".`
          : `${countOf(reading.wide_count, 'line is', 'lines are')} left out. ${leftOutNote}`}
      </Text>
      <Button
        size="xs"
        disabled={busy}
        onClick={() => onRead({ extra_cells: isKept ? 'leave_out' : 'keep' })}
      >
        {isKept ? `Leave out ${lines} instead` : 'Keep the extra cells in a column instead'}
      </Button>
    </Group>
  );
}

/** Asks for the encoding if others are nearly as likely. Each choice shows the same words. */
function LettersQuestion({ upload, onRead }: Pick<Questions, 'upload' | 'onRead'>) {
  const { letters } = upload.reading;
  if (letters.is_sure || letters.sample === '') return null;
  const current = encodingNames.find((name) => name === upload.encoding) ?? 'utf-8';
  const likely = [{ encoding: current, sample: letters.sample }, ...letters.others];
  const labelOf = (encoding: Encoding): string => {
    const sample = likely.find((one) => one.encoding === encoding)?.sample;
    return sample === undefined
      ? encodingLabels[encoding]
      : `${sample} · ${encodingLabels[encoding]}`;
  };
  const others = encodingNames.filter((name) => !likely.some(({ encoding }) => encoding === name));
  return (
    <Select
      label="Letters"
      description="The encoding of this file is uncertain. Choose the one with the right letters."
      maw={480}
      size="sm"
      allowDeselect={false}
      openOnFocus={false}
      value={current}
      onChange={(value) => {
        const encoding = encodingNames.find((name) => name === value);
        if (encoding) onRead({ encoding });
      }}
      data={[...likely.map(({ encoding }) => encoding), ...others].map((encoding) => ({
        value: encoding,
        label: labelOf(encoding),
      }))}
    />
  );
}

const linesNamedMax = 3;

const headerLabel = 'Column names in line';

interface HeaderLineProps extends Pick<Answers, 'onRead'> {
  readonly reading: ReadList;
  readonly isInline?: boolean;
}

function HeaderLine({ reading, onRead, isInline = false }: HeaderLineProps) {
  if (reading.header_line === null) return null;
  return (
    <Select
      {...(isInline ? { 'aria-label': headerLabel } : { label: headerLabel })}
      w={isInline ? 76 : 170}
      size={isInline ? 'xs' : 'sm'}
      allowDeselect={false}
      openOnFocus={false}
      value={String(reading.header_line)}
      onChange={(line) => line !== null && onRead({ header: 'yes', header_line: Number(line) })}
      data={Array.from({ length: headerLinesMax }, (_line, at) => String(at + 1))}
    />
  );
}

type LeftOutProps = Pick<Questions, 'upload' | 'busy' | 'leftOutNote' | 'onRead'>;

/** The lines that are no rows, and the button that keeps them; nothing without any. */
function LeftOutLines({ upload: { reading }, busy, leftOutNote, onRead }: LeftOutProps) {
  const { other_count: count, other_lines: lines } = reading;
  if (count === 0) return null;
  const shown = lines
    .slice(0, linesNamedMax)
    .map(({ line, kind, text }) => `line ${line} (${otherLineWords[kind]}${textBehindKind(text)})`)
    .join('; ');
  const more = count - Math.min(count, linesNamedMax);
  return (
    <>
      <Text size="sm" flex={1} miw={180}>
        {countOf(count, 'line that is no row is', 'lines that are no rows are')} left out: {shown}
        {more > 0 && ` and ${showCount(more)} more`}. {leftOutNote}
      </Text>
      <Button size="compact-sm" disabled={busy} onClick={() => onRead({ other_lines: 'keep' })}>
        Keep lines below the names
      </Button>
    </>
  );
}

/** Says where the column names are and which lines are no rows, and offers other readings. */
function TableFound(props: LeftOutProps) {
  const { header_line: headerLine, other_count: count } = props.upload.reading;
  if (count === 0 && (headerLine ?? 1) === 1) return null;
  return (
    <Group gap="sm" role="status" align="flex-end">
      <HeaderLine reading={props.upload.reading} onRead={props.onRead} />
      <LeftOutLines {...props} />
    </Group>
  );
}

interface SeveralPeopleProps extends Pick<Questions, 'upload' | 'busy' | 'onRead'> {
  readonly isInline?: boolean;
}

/** Offers a row for each person of the rows that hold several, or takes it back. */
function SeveralPeople({ upload: { reading }, busy, onRead, isInline }: SeveralPeopleProps) {
  const { several_people: choice } = reading;
  if (choice === undefined) return null;
  const isKept = choice === 'keep';
  return (
    <Button
      size={isInline ? 'compact-sm' : 'xs'}
      variant="default"
      style={{ alignSelf: 'flex-start' }}
      disabled={busy}
      onClick={() => onRead({ several_people: isKept ? 'split' : 'keep' })}
    >
      {isKept ? 'Give each person a row' : 'Keep several people in one row'}
    </Button>
  );
}

function Warnings({ upload: { warnings } }: Pick<Questions, 'upload'>) {
  if (warnings.length === 0) return null;
  return (
    <Text size="sm" component="ul" c="dimmed" pl="lg" m={0}>
      {groupRemarks(warnings).map(([first, ...others]) =>
        first === undefined ? null : (
          <li key={`${first.line}:${first.column}:${first.message}`}>
            {first.line !== null &&
              `Line ${first.line}${first.column ? `, column ${first.column}` : ''}: `}
            {first.message}
            <MoreRemarks remarks={others} />
          </li>
        ),
      )}
    </Text>
  );
}

export function ReadingQuestions(questions: Questions) {
  const { upload, isAsked } = questions;
  return (
    <>
      <SheetPicker reading={upload.reading} onRead={questions.onRead} />
      <LettersQuestion {...questions} />
      {!questions.isBrief && <TableFound {...questions} />}
      <HeaderQuestion {...questions} />
      {isAsked ? <WideQuestion {...questions} /> : <WideDecision {...questions} />}
      <Warnings upload={upload} />
      {questions.offersRows && !questions.isBrief && <SeveralPeople {...questions} />}
    </>
  );
}

/** What stays in sight where the questions are folded: each is answered by one click. */
export function ReadingOffers(questions: LeftOutProps) {
  const { reading } = questions.upload;
  return (
    <>
      {(reading.header_line ?? 1) > 1 && (
        <Group gap="xs" justify="space-between">
          <Text size="sm">{headerLabel}</Text>
          <HeaderLine reading={reading} onRead={questions.onRead} isInline />
        </Group>
      )}
      {reading.other_count > 0 && (
        <Group gap="xs" role="status">
          <LeftOutLines {...questions} />
        </Group>
      )}
      {reading.several_people !== undefined && (
        <Group gap="xs">
          <Text size="sm" flex={1} miw={120}>
            {reading.several_people === 'keep'
              ? 'Some rows name several people.'
              : 'Each person has a row.'}
          </Text>
          <SeveralPeople {...questions} isInline />
        </Group>
      )}
    </>
  );
}
