/** Adds values to the suppression list: typed one per line, or from a list in a file. */
import { Alert, Button, Group, List, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type SuppressionKind,
  type SuppressionReport,
  suppression,
  suppressionKinds,
  suppressionReading,
} from '../../../engine/contract/suppression/suppression.ts';
import { ask } from '../../api/client.ts';
import { useCall, useChange } from '../../api/live.ts';
import { type ReadingChoice, uploadSpreadsheet } from '../../api/upload.ts';
import { DropArea } from '../../components/drop-area.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { FirstRows, FirstRowsComing } from '../../components/first-rows.tsx';
import { ReadingQuestions } from '../../components/reading-questions.tsx';
import { Section } from '../../components/section.tsx';
import { useReadList } from '../directory/imports/chosen-lists.ts';
import { describeReport, kindLabels } from './suppression-words.ts';

const recognised = 'recognise';

/** The number of added, known and unreadable values, and what is wrong with the latter. */
function Report({ report, what }: { report: SuppressionReport; what: string }) {
  return (
    <Alert
      color={report.unreadable > 0 ? 'yellow' : 'teal'}
      role="status"
      title={describeReport(report)}
    >
      <List size="sm">
        {report.remarks.map(({ line, what: detail }) => (
          <List.Item key={`${line} ${detail}`}>
            {what} {line}: {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function TypedValues({ reason }: { reason: string }) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<string>(recognised);
  const add = useCall(suppression.add, ['suppression']);
  const values = text.split('\n').flatMap((line) => line.trim() || []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = kind === recognised ? {} : { kind: kind as SuppressionKind };
    const given = values.map((value) => ({ value, ...chosen }));
    add.mutate(
      { values: given, reason },
      { onSuccess: ({ unreadable }) => unreadable === 0 && setText('') },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-start" gap="md">
          <Textarea
            flex="1 1 320px"
            label="Values, one per line"
            placeholder={'ada@example.com\n*.example.com\n+41 79 123 45 67'}
            autosize
            minRows={3}
            maxRows={10}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Select
            flex="0 1 200px"
            label="Kind"
            data={[
              { value: recognised, label: 'Detect automatically' },
              ...suppressionKinds.map((value) => ({ value, label: kindLabels[value] })),
            ]}
            allowDeselect={false}
            value={kind}
            onChange={(value) => setKind(value ?? recognised)}
          />
        </Group>
        <Group>
          <Button type="submit" disabled={values.length === 0} loading={add.isPending}>
            Suppress
          </Button>
        </Group>
        <ErrorPanel title="The values were not added" error={add.error} />
        {add.data && <Report report={add.data} what="Value" />}
      </Stack>
    </form>
  );
}

const readFirst: ReadingChoice = { ...suppressionReading, origin: 'none' };

/** Imports a file after the questions about its reading. */
function ImportedFile({ reason }: { reason: string }) {
  const [file, setFile] = useState<File | null>(null);
  const [reading, setReading] = useState<ReadingChoice>(readFirst);
  const shown = useReadList({ file, reading });
  const { data: upload } = shown;
  const imported = useChange(
    async (chosen: File) => {
      const choice: ReadingChoice = { ...reading, origin: suppressionReading.origin };
      const { signal } = new AbortController();
      const kept = await uploadSpreadsheet({ file: chosen }, () => undefined, signal, choice);
      return ask(suppression.importList, { upload_id: kept.upload_id, reason });
    },
    ['suppression'],
  );
  const choose = (chosen: File) => {
    setFile(chosen);
    setReading(readFirst);
    imported.reset();
  };
  return (
    <Stack gap="sm">
      <DropArea
        label="Import a list"
        hint={
          'Any file with columns such as email, domain, phone, profile URL and company, or one ' +
          'value per line.'
        }
        disabled={imported.isPending}
        onFile={choose}
      />
      {file && shown.error && <ErrorPanel title="The file cannot be read" error={shown.error} />}
      {file && !shown.error && !upload && <FirstRowsComing />}
      {file && upload && (
        <>
          <ReadingQuestions
            upload={upload}
            isAsked={false}
            busy={shown.isPlaceholderData}
            areNamesUnknown={Object.keys(upload.mapping).length === 0}
            leftOutNote=""
            onRead={(choice) => setReading({ ...reading, ...choice })}
            onLeaveOut={() => setReading({ ...reading, extra_cells: 'leave_out' })}
          />
          <FirstRows
            label={`First rows of ${file.name}`}
            labels={upload.labels}
            rows={upload.first_rows}
          />
          <Group>
            <Button
              disabled={shown.isPlaceholderData}
              loading={imported.isPending}
              onClick={() => imported.mutate(file, { onSuccess: () => setFile(null) })}
            >
              Import {file.name}
            </Button>
          </Group>
        </>
      )}
      <ErrorPanel title="The file was not imported" error={imported.error} />
      {imported.data && <Report report={imported.data} what="Line" />}
    </Stack>
  );
}

export function AddValues() {
  const [reason, setReason] = useState('');
  return (
    <Section
      title="Add"
      sentence={
        'A domain covers its subdomains. Choose the kind for companies. ' +
        'Changes apply at once, including to running jobs and stored results.'
      }
    >
      <Stack gap="md">
        <TextInput
          label="Reason"
          placeholder="For example, the date of the request"
          maw={520}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TypedValues reason={reason} />
        <ImportedFile reason={reason} />
      </Stack>
    </Section>
  );
}
