/** What an import did, in a sentence, and every line that was refused or remarked on. */
import { Alert, Table, Text } from '@mantine/core';
import type { ImportReport } from '../../../engine/contract/directory.ts';
import { countOf, showCount } from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';

const remarksShown = 50;

/** The counts that are not zero, as one sentence. */
export function describeImport(report: ImportReport): string {
  const parts: [number, string][] = [
    [report.people_added, 'people added'],
    [report.people_updated, 'people updated'],
    [report.people_merged, 'people merged'],
    [report.people_unchanged, 'people unchanged'],
    [report.employments_added, 'employments added'],
    [report.companies_added, 'companies added'],
    [report.companies_updated, 'companies updated'],
    [report.companies_unchanged, 'companies unchanged'],
    [report.rows_refused, 'rows refused'],
  ];
  const words = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${showCount(count)} ${what}`);
  return `${countOf(report.rows_read, 'row')} read: ${words.join(', ') || 'nothing new'}.`;
}

function Remarks({ remarks }: Pick<ImportReport, 'remarks'>) {
  return (
    <>
      <Table fz="sm" mt="sm" className={tableClasses.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>File</Table.Th>
            <Table.Th ta="right">Line</Table.Th>
            <Table.Th>Column</Table.Th>
            <Table.Th>Remark</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {remarks.slice(0, remarksShown).map(({ file, line, column, message }) => (
            <Table.Tr key={`${file}:${line}:${column}:${message}`}>
              <Table.Td className={tableClasses.name}>{file}</Table.Td>
              <Table.Td ta="right">{showCount(line)}</Table.Td>
              <Table.Td>{column}</Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {remarks.length > remarksShown && (
        <Text size="xs" mt={4}>
          and {showCount(remarks.length - remarksShown)} more remarks
        </Text>
      )}
    </>
  );
}

/** The report. */
export function ImportReportView({ report }: { report: ImportReport }) {
  const failed = report.status === 'failed';
  return (
    <Alert
      mt="md"
      color={failed ? 'red' : 'teal'}
      title={failed ? 'The import failed, and left nothing behind' : `Imported ${report.source}`}
      role="status"
    >
      <Text size="sm" className="numbers">
        {failed ? report.error : describeImport(report)}
      </Text>
      {report.remarks.length > 0 && <Remarks remarks={report.remarks} />}
    </Alert>
  );
}
