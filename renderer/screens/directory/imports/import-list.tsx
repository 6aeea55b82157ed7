/** All imports: source, effect and undo. */

import { Button, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { ImportReport } from '../../../../engine/contract/directory.ts';
import { imports } from '../../../../engine/contract/imports.ts';
import { useCall, useLastReport } from '../../../api/live.ts';
import { Ago } from '../../../components/ago.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { countOf } from '../../../components/numbers.ts';
import { StatusChip } from '../../../components/status-chip.tsx';
import tableClasses from '../../../components/table.module.css';
import { TableCard } from '../../../components/table-card.tsx';
import { isolate } from '../../../components/titles/isolate.ts';
import { showFailure, showSuccess } from '../../../components/toast.ts';
import { describeImport, ImportDetails, nameImport } from './import-report.tsx';

function UndoButton({ report }: { report: ImportReport }) {
  const undo = useCall(imports.undo, ['directory', 'state', 'estimate']);
  return (
    <ConfirmButton
      size="compact-sm"
      title={`Undo the import of ${nameImport(report)}?`}
      sentence={
        'Everything that only this import added is removed from the directory; ' +
        'values of other imports are restored.'
      }
      act="Undo the import"
      loading={undo.isPending}
      onConfirm={() =>
        undo.mutate(
          { import_id: report.import_id },
          {
            onSuccess: () =>
              showSuccess(`The import of ${isolate(nameImport(report))} was undone.`),
            onError: (error) => showFailure('The import was not undone', error),
          },
        )
      }
    >
      Undo
    </ConfirmButton>
  );
}

function ImportRow({ report, now }: { report: ImportReport; now: number }) {
  const [open, setOpen] = useState(false);
  const fileNames = report.file_names.join(', ');
  const name = nameImport(report);
  // The report above the list has them already.
  const isReported = useLastReport()?.import_id === report.import_id && report.status !== 'undone';
  const details = report.remarks.length > 0 && !isReported;
  return (
    <>
      <Table.Tr>
        <Table.Td className={tableClasses.name}>
          <Text size="sm" fw={550}>
            {name}
          </Text>
          {!report.file_names.includes(report.source) && (
            <Text size="xs" c="dimmed">
              {fileNames}
            </Text>
          )}
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

/** The imports, newest first. */
export function ImportList({ imports, now }: { imports: readonly ImportReport[]; now: number }) {
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
