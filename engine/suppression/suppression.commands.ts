/** Commands about the suppression list, served by the writer. */
import type {
  GivenValue,
  SuppressionKind,
  SuppressionReport,
  SuppressionSource,
} from '../contract/suppression/suppression.ts';
import type { SuppressionTable } from './read-suppression-file.ts';

/** Why values are added, and in whose name. */
interface Addition {
  readonly reason: string;
  readonly source: SuppressionSource;
  readonly author: string;
}

export type ListReport = Omit<SuppressionReport, 'people'>;

export interface SuppressionCalls {
  suppress(command: Addition & { readonly values: readonly GivenValue[] }): Promise<ListReport>;
  /** Adds the values of an uploaded list. Rejects with `validation_error` if it is too long. */
  importSuppressions(
    command: Addition & {
      readonly table: SuppressionTable;
      readonly kind?: SuppressionKind | undefined;
    },
  ): Promise<ListReport>;
  /** Removes entries by their ids, or those of a job's refusals. Returns their number. */
  removeSuppressions(
    command: { readonly ids: readonly number[] } | { readonly job: string },
  ): Promise<number>;
}
