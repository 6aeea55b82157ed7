// Step 1: the file, its type, its first rows, and its errors.
import { Progress } from '@mantine/core';
import type { Upload } from '../../../engine/contract/uploads.ts';
import { useTask } from '../../api/live.ts';
import { DropArea } from '../../components/drop-area.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { FirstRows, FirstRowsComing } from '../../components/first-rows.tsx';
import { countOf, showBytes, showShare } from '../../components/numbers.ts';
import { ReadingOffers, ReadingQuestions } from '../../components/reading-questions.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { type Flow, useFlow } from './flow.tsx';
import { LeaveList } from './leave-list.tsx';
import { DifferentFilesPanel } from './several/different-files.tsx';
import { DifferentFiles } from './several/several-files.ts';
import { Step } from './step.tsx';

/** Lines of the first rows, which scroll: the steps below stay in sight. */
const linesShown = 4;
const delimiterWords: Record<string, string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
  ' ': 'aligned columns',
};

const wordOfDelimiter = (delimiter: string) => delimiterWords[delimiter] ?? delimiter;

const kindWords: Readonly<Record<Exclude<Upload['kind'], 'csv'>, string>> = {
  xlsx: 'Excel workbook',
  ods: 'OpenDocument spreadsheet',
  xml: 'XML spreadsheet',
  html: 'Table of a web page',
  json: 'JSON',
  vcard: 'vCard',
  parquet: 'Parquet',
  mailboxes: 'Recipients of a mail',
};

/** What the file is: its format, or the number of files that were joined. */
function describeFormat({ files, kind, reading, encoding, delimiter }: Upload): string {
  if (files.length > 1) return countOf(files.length, 'file');
  if (kind === 'csv') return `${encoding.toUpperCase()}, ${wordOfDelimiter(delimiter)}`;
  return [kindWords[kind], reading.sheet && `sheet ${reading.sheet}`].filter(Boolean).join(', ');
}

/** What the folded step has to say. */
const describeNotes = ({ warnings, reading }: Upload): string[] => [
  ...(reading.other_count > 0 ? [`${countOf(reading.other_count, 'line')} left out`] : []),
  ...(warnings.length > 0 ? [countOf(warnings.length, 'remark')] : []),
];

function Facts({ flow: { name, bytes, upload: decided, asked } }: { flow: Flow }) {
  const upload = decided ?? asked;
  const facts = upload
    ? [
        countOf(upload.row_count, 'row'),
        ...describeNotes(upload),
        countOf(upload.labels.length, 'column'),
        // The list of a job has no file.
        ...(upload.bytes > 0 ? [describeFormat(upload), showBytes(upload.bytes)] : []),
      ]
    : bytes === null
      ? []
      : [showBytes(bytes)];
  return (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      {facts.map((fact) => ` · ${fact}`).join('')}
    </>
  );
}

/** Part of the bar for the transfer of a file, before it is read. */
const copyingShare = 0.3;

/** First the transfer, if any, then the reading: it only grows. Files count one by one. */
function ReadingProgress({ flow: { sentShare, isSeveral } }: { flow: Flow }) {
  const task = useTask('upload');
  const sent = sentShare ?? 0;
  const read = task?.total ? task.done / task.total : 0;
  const whole = sent === 0 ? read : copyingShare * sent + (1 - copyingShare) * read;
  const share = isSeveral ? sent : whole;
  const label = `Reading, ${showShare(share)}`;
  return (
    <div>
      <Note mb={4} role="status">
        {label}
      </Note>
      <Progress value={share * 100} aria-label={label} size="sm" />
    </div>
  );
}

function FlowRows({ flow: { upload: decided, asked, name } }: { flow: Flow }) {
  const upload = decided ?? asked;
  if (!upload) return <FirstRowsComing linesMax={linesShown} />;
  const { labels, first_rows: rows } = upload;
  return (
    <>
      <FirstRows
        label={`First rows of ${name}`}
        labels={labels}
        rows={rows}
        linesMax={linesShown}
      />
      {upload.row_count > rows.length && (
        <Caption>
          The first {countOf(rows.length, 'row')} of {countOf(upload.row_count, 'row')}.
        </Caption>
      )}
    </>
  );
}

const hasUnknownNames = ({ mapping, full_name_column: fullName }: Upload): boolean =>
  Object.keys(mapping).length === 0 && fullName === null;

/** Whether the reading of a file is sure. */
const isReadSurely = (upload: Upload): boolean =>
  upload.reading.header &&
  !upload.reading.first_row_is_contact &&
  !hasUnknownNames(upload) &&
  upload.reading.wide_count === 0 &&
  upload.reading.letters.is_sure;

/** Whether one file was read without a question or a warning. */
const isReadPlainly = (upload: Upload): boolean =>
  isReadSurely(upload) &&
  upload.files.length < 2 &&
  upload.warnings.length === 0 &&
  upload.reading.other_count === 0 &&
  (upload.reading.header_line ?? 1) === 1 &&
  upload.reading.sheets.length < 2;

const leftOutNote = 'You can save them from the job.';

interface FileStepProps {
  onFiles?: (files: readonly File[]) => void;
  hasGrid?: boolean;
}

/**
 * @param onFiles receives several files that are chosen together; without it, one is taken
 * @param hasGrid whether the rows are shown elsewhere
 */
export function FileStep({ onFiles, hasGrid = false }: FileStepProps) {
  const { flow, actions } = useFlow();
  const read = flow.upload ?? flow.asked;
  const changeButton = (
    <LeaveList
      label={flow.sentShare === null ? 'Change' : 'Stop'}
      asks={false}
      onLeave={actions.leave}
    />
  );
  return (
    <Step
      {...(!hasGrid && { number: 1 })}
      title="File"
      facts={<Facts flow={flow} />}
      action={changeButton}
      isSettled={flow.upload !== null && flow.sentShare === null && flow.error === null}
      selfFolding={{
        subject: flow.upload?.upload_id ?? null,
        // A grid next to the step shows what was read, and its notes would cover the next step.
        isPlain: flow.upload !== null && (hasGrid ? isReadSurely : isReadPlainly)(flow.upload),
      }}
      unfold="Show"
      lasting={
        hasGrid &&
        read && (
          <ReadingOffers
            upload={read}
            busy={flow.sentShare !== null}
            leftOutNote={leftOutNote}
            onRead={(choice) => void actions.readAgain(choice)}
          />
        )
      }
    >
      {flow.sentShare !== null && <ReadingProgress flow={flow} />}
      {read && (
        <ReadingQuestions
          upload={read}
          isAsked={flow.asked !== null}
          busy={flow.sentShare !== null}
          areNamesUnknown={hasUnknownNames(read)}
          leftOutNote={leftOutNote}
          offersRows
          isBrief={hasGrid}
          onRead={(choice) => void actions.readAgain(choice)}
          onLeaveOut={actions.leaveOutLines}
        />
      )}
      {read && flow.error !== null && (
        <ErrorPanel title="The file cannot be read that way" error={flow.error} />
      )}
      {!read && flow.error instanceof DifferentFiles ? (
        <DifferentFilesPanel error={flow.error} />
      ) : !read && flow.error !== null ? (
        <>
          <ErrorPanel title="This file can’t be read" error={flow.error} />
          <DropArea
            label="Choose another file"
            hint="Or fix this one and drop it again. None of it was stored."
            onFile={(file) => void actions.choose({ file })}
            onFiles={onFiles}
          />
        </>
      ) : (
        !hasGrid && <FlowRows flow={flow} />
      )}
    </Step>
  );
}
