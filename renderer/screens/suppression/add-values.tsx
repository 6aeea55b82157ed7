/** Adds values to the suppression list: typed one per line, or from a CSV file. */
import { Alert, Button, Group, List, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { suppressionImportCharactersMax } from '../../../engine/contract/limits/privacy/suppression.ts';
import {
  type SuppressionKind,
  type SuppressionReport,
  suppression,
  suppressionKinds,
} from '../../../engine/contract/suppression/suppression.ts';
import { ApiError, ask } from '../../api/client.ts';
import { useCall, useChange } from '../../api/live.ts';
import { DropArea } from '../../components/drop-area.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showBytes } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
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
        {add.error && <ErrorPanel title="The values were not added" error={add.error} />}
        {add.data && <Report report={add.data} what="Value" />}
      </Stack>
    </form>
  );
}

function ImportedFile({ reason }: { reason: string }) {
  const read = useChange(
    async (file: File) => {
      const text = await file.text();
      if (text.length > suppressionImportCharactersMax)
        throw new ApiError(
          'validation_error',
          `${file.name} has ${showBytes(file.size)}. Split it into several files.`,
          0,
        );
      return ask(suppression.importList, { text, reason });
    },
    ['suppression'],
  );
  return (
    <Stack gap="sm">
      <DropArea
        label="Import a CSV file"
        hint="Columns such as email, domain, phone, profile URL and company, or one value per line."
        disabled={read.isPending}
        onFile={(file) => read.mutate(file)}
      />
      {read.error && <ErrorPanel title="The file was not imported" error={read.error} />}
      {read.data && <Report report={read.data} what="Line" />}
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
