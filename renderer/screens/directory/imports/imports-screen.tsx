// Imports: a new one, the sample directory, and the list of all with undo.
import { Button, Card, Group, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type ImportReport, nameImport } from '../../../../engine/contract/directory.ts';
import { imports, toItsEnd } from '../../../../engine/contract/imports.ts';
import { useDirectory } from '../../../api/directory.ts';
import { useAppState, useCall, useLastReport } from '../../../api/live.ts';
import { Ago } from '../../../components/ago.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { countOf } from '../../../components/numbers.ts';
import { StatusChip } from '../../../components/status-chip.tsx';
import tableClasses from '../../../components/table.module.css';
import { TableCard } from '../../../components/table-card.tsx';
import { Caption, Note } from '../../../components/text.tsx';
import { isolate } from '../../../components/titles/isolate.ts';
import { showSuccess } from '../../../components/toast.ts';
import { DirectoryPage } from '../directory-page.tsx';
import { IndexState } from '../directory-state.tsx';
import { ImportForm } from './import-form.tsx';
import { describeImport, ImportDetails } from './import-report.tsx';

function UndoButton({ report }: { report: ImportReport }) {
  const undo = useCall(imports.undo, ['directory', 'state', 'estimate'], {
    failed: 'The import was not undone',
  });
  const isOfBoth = report.file_names.length > 1;
  const files = report.file_names.map(isolate).join(' and ');
  return (
    <ConfirmButton
      size="compact-sm"
      title={isOfBoth ? 'Undo both files?' : `Undo the import of ${nameImport(report)}?`}
      sentence={
        (isOfBoth ? `${files} were imported together, and are undone together. ` : '') +
        `${describeImport(report)} What only this import added is removed from the directory; ` +
        'values of other imports are restored. Results of jobs stay, but without the ids and ' +
        'columns that only this import has.' +
        (isOfBoth ? ' To keep one of the files, import it again.' : '')
      }
      act="Undo the import"
      loading={undo.isPending}
      onConfirm={() =>
        undo.mutate(
          { import_id: report.import_id },
          {
            onSuccess: () =>
              showSuccess(`The import of ${isolate(nameImport(report))} was undone.`),
          },
        )
      }
    >
      {isOfBoth ? 'Undo both' : 'Undo'}
    </ConfirmButton>
  );
}

function ImportRow({ report, now }: { report: ImportReport; now: number }) {
  const [open, setOpen] = useState(false);
  const isNamedByFiles = report.file_names.includes(report.source);
  const named = isNamedByFiles ? report.file_names : [report.source];
  // The report above the list has them already.
  const isReported = useLastReport()?.import_id === report.import_id && report.status !== 'undone';
  const details = report.remarks.length > 0 && !isReported;
  return (
    <>
      <Table.Tr>
        <Table.Td className={tableClasses.name}>
          {named.map((name) => (
            <Text key={name} size="sm" fw={550}>
              {name}
            </Text>
          ))}
          {!isNamedByFiles && <Caption>{report.file_names.join(', ')}</Caption>}
          {isNamedByFiles && named.length > 1 && <Caption>Imported together</Caption>}
        </Table.Td>
        <Table.Td>
          <StatusChip status={report.status} />
        </Table.Td>
        <Table.Td>
          <Text size="sm">
            {report.status === 'failed' ? report.error : describeImport(report)}
          </Text>
          {details && (
            <Button
              size="compact-xs"
              variant="subtle"
              // Its label is in line with the text above.
              ml={-8}
              onClick={() => setOpen(!open)}
              aria-expanded={open}
            >
              {open ? 'Hide' : 'Show'} {countOf(report.remarks.length, 'remark')}
            </Button>
          )}
        </Table.Td>
        <Table.Td className={tableClasses.number}>
          <Ago time={report.started_at} now={now} />
        </Table.Td>
        <Table.Td ta="right">
          {report.status === 'completed' && <UndoButton report={report} />}
        </Table.Td>
      </Table.Tr>
      {open && (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <ImportDetails report={report} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function ImportList({ imports, now }: { imports: readonly ImportReport[]; now: number }) {
  const newestFirst = [...imports].sort((one, other) => other.import_id - one.import_id);
  return (
    <>
      <Title order={2}>Imports</Title>
      <TableCard
        label="Imports"
        columns={['Source', 'Status', 'What it did', '>When', '>Undo']}
        widthMinPx={760}
      >
        {newestFirst.map((report) => (
          <ImportRow key={report.import_id} report={report} now={now} />
        ))}
      </TableCard>
    </>
  );
}

const changed = ['directory', 'state', 'estimate'];

function SampleCard() {
  const { data: state } = useAppState();
  const load = useCall(toItsEnd(imports.addSample), changed, {
    failed: 'The sample was not loaded',
    done: 'The sample directory is loaded.',
  });
  const remove = useCall(imports.removeSample, changed, {
    failed: 'The sample was not removed',
    done: 'The sample directory was removed.',
  });
  if (!state) return null;
  const { loaded } = state.sample;
  return (
    <Card component="section" aria-labelledby="sample-title">
      <Group justify="space-between" gap="lg">
        <div>
          <Title order={2} id="sample-title">
            Sample directory
          </Title>
          <Note>
            {loaded
              ? 'Loaded. Your own people and companies stay if you remove it.'
              : 'Real public office holders and organisations, to try the app with.'}
          </Note>
        </div>
        {loaded ? (
          <ConfirmButton
            title="Remove the sample directory?"
            sentence="Its people and companies are removed from the directory. Your imports stay."
            act="Remove the sample"
            loading={remove.isPending}
            onConfirm={() => remove.mutate({})}
          >
            Remove the sample
          </ConfirmButton>
        ) : (
          <Button loading={load.isPending} onClick={() => load.mutate({ wait: '1' })}>
            Load the sample
          </Button>
        )}
      </Group>
    </Card>
  );
}

export function ImportsScreen() {
  const { data, dataUpdatedAt, error, refetch } = useDirectory();
  return (
    <DirectoryPage
      part="imports"
      sentence="Add people and companies from your files. Importing a list again updates it."
    >
      <ErrorPanel title="The imports could not be loaded" error={error} onRetry={refetch} />
      {data && <IndexState data={data} />}
      <ImportForm />
      {data && data.imports.length > 0 && <ImportList imports={data.imports} now={dataUpdatedAt} />}
      {data && <SampleCard />}
    </DirectoryPage>
  );
}
