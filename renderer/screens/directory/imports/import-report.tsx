// An import's effect in one sentence, and all lines with refusals or remarks.
import { Alert, Button, FileButton, Group, Table, Text } from '@mantine/core';
import {
  describeImportCounts,
  type ImportReport,
  nameImport,
} from '../../../../engine/contract/directory.ts';
import { groupRemarks } from '../../../../engine/contract/reading/group-remarks.ts';
import { suppression } from '../../../../engine/contract/suppression/suppression.ts';
import { ask } from '../../../api/client.ts';
import { useChange } from '../../../api/live.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { countOf, showCount } from '../../../components/numbers.ts';
import { MoreRemarks } from '../../../components/remarks.tsx';
import tableClasses from '../../../components/table.module.css';
import { PlainTable } from '../../../components/table-card.tsx';
import { useOpenFiles } from '../../enrich/open-files.tsx';

const remarksShown = 50;
const kindsOpen = 3;

type Remark = ImportReport['remarks'][number];

/** What the import changes in the directory, as one sentence. */
export function describeImport(report: ImportReport): string {
  const words =
    report.status === 'undone'
      ? 'their changes are undone'
      : describeImportCounts(report, countOf) || 'nothing new';
  return `${countOf(report.rows_read, 'row')} read: ${words}.`;
}

/** Remarks of one kind: the first in full, the others on request. */
function RemarkRow({ remarks }: { remarks: readonly Remark[] }) {
  const [first, ...others] = remarks;
  if (!first) return null;
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>{first.file}</Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(first.line)}</Table.Td>
      <Table.Td>{first.column}</Table.Td>
      <Table.Td>
        {first.message}
        <MoreRemarks remarks={others} />
      </Table.Td>
    </Table.Tr>
  );
}

function RemarkTable({ kinds }: { kinds: readonly (readonly Remark[])[] }) {
  return (
    <>
      <PlainTable columns={['File', '>Line', 'Column', 'Remark']}>
        {kinds.slice(0, remarksShown).map((remarks) => (
          <RemarkRow key={JSON.stringify(remarks[0])} remarks={remarks} />
        ))}
      </PlainTable>
      {kinds.length > remarksShown && (
        <Text size="xs" mt={4}>
          and {showCount(kinds.length - remarksShown)} more kinds of remarks
        </Text>
      )}
    </>
  );
}

function Remarks({ remarks }: Pick<ImportReport, 'remarks'>) {
  const kinds = groupRemarks(remarks);
  return (
    <details open={kinds.length <= kindsOpen}>
      <summary>{countOf(remarks.length, 'remark')}</summary>
      <RemarkTable kinds={kinds} />
    </details>
  );
}

/** The columns that were not read; nothing if all were. */
function UnreadColumns({ columns }: Pick<ImportReport, 'columns'>) {
  const headers = columns.filter(({ field }) => field === null).map(({ header }) => header);
  if (headers.length === 0) return null;
  return (
    <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
      {countOf(headers.length, 'column')} not read: {headers.join(', ')}.
    </Text>
  );
}

function OptOuts({ rows_opted_out: rows }: Pick<ImportReport, 'rows_opted_out'>) {
  const { data, error, isPending, mutate } = useChange(
    () => ask(suppression.addOptOuts),
    ['suppression', 'state'],
  );
  if (rows === 0) return null;
  return (
    <Group mt="sm" gap="sm">
      <Text size="sm">
        {countOf(rows, 'row')} opted out. These people are never given while the import stays. On
        the suppression list they are never given at all.
      </Text>
      {data ? (
        <Text size="sm" role="status">
          {countOf(data.added, 'value')} added to the suppression list.
        </Text>
      ) : (
        <Button size="xs" loading={isPending} onClick={() => mutate(undefined)}>
          Add to the suppression list
        </Button>
      )}
      <ErrorPanel title="The suppression list was not changed" error={error} />
    </Group>
  );
}

function EnrichNext() {
  const openFiles = useOpenFiles();
  return (
    <FileButton onChange={(file) => file && openFiles([file])}>
      {(props) => (
        <Button variant="filled" {...props} size="xs" my="sm">
          Enrich a list…
        </Button>
      )}
    </FileButton>
  );
}

export const ImportDetails = ({ report }: { report: ImportReport }) => (
  <>
    <UnreadColumns columns={report.columns} />
    <RemarkTable kinds={groupRemarks(report.remarks)} />
  </>
);

/** The report; `remedy` says what to do about a failed one. */
export function ImportReportView({ report, remedy }: { report: ImportReport; remedy?: string }) {
  const failed = report.status === 'failed';
  return (
    <Alert
      mt="md"
      color={failed ? 'red' : 'teal'}
      title={failed ? 'Import failed. Nothing was changed' : `Imported ${nameImport(report)}`}
      role="status"
    >
      <Text size="sm" className="numbers" style={{ overflowWrap: 'anywhere' }}>
        {failed ? report.error : describeImport(report)}
      </Text>
      {!failed && <UnreadColumns columns={report.columns} />}
      {failed && remedy && (
        <Text size="sm" mt={4}>
          {remedy}
        </Text>
      )}
      {report.status === 'completed' && <OptOuts rows_opted_out={report.rows_opted_out} />}
      {report.status === 'completed' && <EnrichNext />}
      {report.remarks.length > 0 && <Remarks remarks={report.remarks} />}
    </Alert>
  );
}
