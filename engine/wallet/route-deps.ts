/** Dependencies of the routes of the wallet's lines. */
import type { ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import type { ExportCalls } from '../spreadsheet/export.commands.ts';
import type { WalletExport } from './export-wallet.ts';

export interface WalletRouteDeps extends RouteDepsWith<unknown, ExportCalls<WalletExport>> {
  readonly tickets: ExportTickets<WalletExport>;
}
