/** Dependencies of the routes of Career Monitor. */
import type { ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import type { ExportCalls } from '../spreadsheet/export.commands.ts';
import type { FindingsExport } from './findings-export.ts';
import type { MonitorCalls } from './monitors.commands.ts';

export interface MonitorRouteDeps extends RouteDepsWith<MonitorCalls, ExportCalls<FindingsExport>> {
  readonly tickets: ExportTickets<FindingsExport>;
}
