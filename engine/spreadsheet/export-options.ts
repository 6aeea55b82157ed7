/** What every CSV export is told. */

/** What every CSV export is told. */
export interface ExportOptions {
  readonly accountId: number;
  readonly forExcel: boolean;
  readonly protectAll: boolean;
}
