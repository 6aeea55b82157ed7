// Counts and remarks of a running import, and its report.
import {
  type ImportColumn,
  type ImportCount,
  type ImportRemark,
  type ImportReport,
  startImportCounts,
} from '../../contract/directory.ts';
import { importRemarksMax } from '../../contract/limits/directory.ts';

export interface ImportTally {
  readonly counts: Record<ImportCount, number>;
  readonly remarks: ImportRemark[];
  readonly columns: ImportColumn[];
  count(what: ImportCount): void;
  remark(remark: ImportRemark): void;
}

export function createTally(): ImportTally {
  const counts = startImportCounts();
  const remarks: ImportRemark[] = [];
  return {
    counts,
    remarks,
    columns: [],
    count(what) {
      counts[what]++;
    },
    remark(remark) {
      if (remarks.length < importRemarksMax) remarks.push(remark);
    },
  };
}

export type ReportHead = Omit<ImportReport, ImportCount | 'remarks' | 'columns'>;

export function makeReport(head: ReportHead, tally: ImportTally): ImportReport {
  // Rows are not written in the order of their lines. All remarks of a file are adjacent.
  const remarks = tally.remarks.toSorted((one, other) =>
    one.file === other.file ? one.line - other.line : 0,
  );
  return { ...head, ...tally.counts, remarks, columns: tally.columns };
}

/** Adds a remark to the current row: a value that was omitted, or why the row is refused. */
export type RemarkOnRow = (message: string, column?: string) => void;
