/** Options of every CSV export. */

export interface ExportOptions {
  readonly accountId: number;
  readonly forExcel: boolean;
  readonly protectAll: boolean;
}
