/** What an import counts and remarks while it runs, and the report it becomes. */
import type { ImportRemark, ImportReport } from '../contract/directory.ts';
import { importRemarksMax } from '../contract/limits.ts';

/** The counts of a report. */
export type ImportCount =
  | 'rows_read'
  | 'people_added'
  | 'people_updated'
  | 'people_merged'
  | 'people_unchanged'
  | 'employments_added'
  | 'companies_added'
  | 'companies_updated'
  | 'companies_unchanged'
  | 'rows_refused';

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
  const counts: Record<ImportCount, number> = {
    rows_read: 0,
    people_added: 0,
    people_updated: 0,
    people_merged: 0,
    people_unchanged: 0,
    employments_added: 0,
    companies_added: 0,
    companies_updated: 0,
    companies_unchanged: 0,
    rows_refused: 0,
  };
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
