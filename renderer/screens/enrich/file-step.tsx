/** Step 1: the file, its type, its first rows, and its errors. */
import { Button, Progress, Text } from '@mantine/core';
import { useTask } from '../../api/live.ts';
import { DropArea } from '../../components/drop-area.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { FirstRows, FirstRowsComing } from '../../components/first-rows.tsx';
import { countOf, showBytes, showShare } from '../../components/numbers.ts';
import { type Flow, useFlow } from './flow.tsx';
import { ReadingQuestions } from './reading-questions.tsx';
import { Step } from './step.tsx';

/** Lines of the first rows, which scroll: the steps below stay in sight. */
const linesShown = 4;
const delimiterWords: Record<string, string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
};

const wordOfDelimiter = (delimiter: string) => delimiterWords[delimiter] ?? delimiter;

function Facts({ flow: { name, bytes, upload: decided, asked } }: { flow: Flow }) {
  const upload = decided ?? asked;
  const facts = upload
    ? [
        countOf(upload.row_count, 'row'),
        countOf(upload.labels.length, 'column'),
        upload.kind === 'xlsx'
          ? ['Excel workbook', upload.reading.sheet && `sheet ${upload.reading.sheet}`]
              .filter(Boolean)
              .join(', ')
          : `${upload.encoding.toUpperCase()}, ${wordOfDelimiter(upload.delimiter)}`,
        showBytes(upload.bytes),
      ]
    : bytes === null
      ? []
      : [showBytes(bytes)];
  return (
    <>
      <strong>{name}</strong>
      {facts.map((fact) => ` · ${fact}`).join('')}
    </>
  );
}

/** The share that was sent, then the share that was read. */
function ReadingProgress({ sentShare }: { sentShare: number }) {
  const task = useTask('upload');
  const read = task?.total ? task.done / task.total : null;
  const sending = sentShare > 0 && sentShare < 1;
  const share = sending ? sentShare : read;
  const label = sending
    ? `Copying, ${showShare(sentShare)}`
    : read === null
      ? 'Reading'
      : `Reading, ${showShare(read)}`;
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4} role="status">
        {label}
      </Text>
      <Progress value={(share ?? 1) * 100} animated={share === null} aria-label={label} size="sm" />
    </div>
  );
}

function FlowRows({ flow: { peek, upload: decided, asked, name } }: { flow: Flow }) {
  const upload = decided ?? asked;
  const labels = upload?.labels ?? peek?.labels;
  const rows = upload?.first_rows ?? peek?.rows;
  if (!labels || !rows) return <FirstRowsComing linesMax={linesShown} />;
  return (
    <>
      <FirstRows
        label={`First rows of ${name}`}
        labels={labels}
        rows={rows}
        linesMax={linesShown}
      />
      {upload && upload.row_count > rows.length && (
        <Text size="xs" c="dimmed">
          The first {countOf(rows.length, 'row')} of {countOf(upload.row_count, 'row')}.
        </Text>
      )}
    </>
  );
}

function Warnings({ flow: { upload } }: { flow: Flow }) {
  if (!upload?.warnings.length) return null;
  return (
    <Text size="sm" component="ul" c="dimmed" pl="lg" m={0}>
      {upload.warnings.slice(0, 5).map(({ line, column, message }) => (
        <li key={`${line}:${column}:${message}`}>
          Line {line}
          {column ? `, column ${column}` : ''}: {message}
        </li>
      ))}
      {upload.warnings.length > 5 && <li>and {upload.warnings.length - 5} more like these</li>}
    </Text>
  );
}

export function FileStep() {
  const { flow, actions } = useFlow();
  const read = flow.upload ?? flow.asked;
  const changeButton = (
    <Button size="xs" variant="default" onClick={actions.clear}>
      {flow.sentShare === null ? 'Change' : 'Stop'}
    </Button>
  );
  return (
    <Step number={1} title="File" facts={<Facts flow={flow} />} action={changeButton}>
      {flow.sentShare !== null && <ReadingProgress sentShare={flow.sentShare} />}
      <ReadingQuestions />
      {read && flow.error !== null && (
        <ErrorPanel title="The file cannot be read that way" error={flow.error} />
      )}
      {!read && flow.error !== null ? (
        <>
          <ErrorPanel title="This file cannot be read as it is" error={flow.error} />
          <DropArea
            label="Choose another file"
            hint="Or fix this one and drop it again. None of it was stored."
            onFile={(file) => void actions.choose({ file })}
          />
        </>
      ) : (
        <FlowRows flow={flow} />
      )}
      <Warnings flow={flow} />
    </Step>
  );
}
