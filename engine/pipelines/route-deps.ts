/** Dependencies of the routes of pipelines. */
import type { SearchCalls } from '../directory/search/search-directory.ts';
import type { ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import type { SharedCalls } from '../shared/settings/team-directory.ts';
import type { ExportCalls } from '../spreadsheet/export-calls.ts';
import type { PipelineExport } from './results/pipeline-export.ts';
import type { PipelineCalls, PipelineReads } from './start-pipeline.ts';

type Writer = PipelineCalls & Pick<SharedCalls, 'readTeamPeople' | 'findTeamPeople'>;
type Base = RouteDepsWith<Writer, PipelineReads & ExportCalls<PipelineExport>>;

export interface PipelineRouteDeps extends Base {
  readonly environment: Base['environment'] & { readonly search: SearchCalls };
  readonly tickets: ExportTickets<PipelineExport>;
}
