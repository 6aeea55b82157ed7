/** What an import counts and remarks while it runs, and the report it becomes. */
import {
  type ImportCount,
  type ImportRemark,
  type ImportReport,
  startImportCounts,
} from '../../contract/directory.ts';
import { importRemarksMax } from '../../contract/limits/directory.ts';

/** Counts and remarks of a running import. */
export interface ImportTally {
  readonly counts: Record<ImportCount, number>;
  readonly remarks: ImportRemark[];
  count(what: ImportCount): void;
  /** Keeps a remark, up to importRemarksMax of them. */
  remark(remark: ImportRemark): void;
}

/** A tally at zero. */
export function createTally(): ImportTally {
  const counts = startImportCounts();
  const remarks: ImportRemark[] = [];
  return {
    counts,
    remarks,
    count(what) {
      counts[what]++;
    },
    remark(remark) {
      if (remarks.length < importRemarksMax) remarks.push(remark);
    },
  };
}

/** What a report says beside counts and remarks. */
export type ReportHead = Omit<ImportReport, ImportCount | 'remarks'>;

/** The report of a tally. */
export function makeReport(head: ReportHead, tally: ImportTally): ImportReport {
  return { ...head, ...tally.counts, remarks: tally.remarks };
}

/** Says something about the row in hand: a value that was left out, or why the row is refused. */
export type RemarkOnRow = (message: string, column?: string) => void;
