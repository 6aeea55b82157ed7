/** The counts of a run. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  flaky: number;
}
/** The last line of a run: `3,776 passed, 0 failed, 0 skipped, 5 min 40 s`. */
export declare function formatSummary(counts: Counts, elapsedMs: number): string;
/** The Vitest options that exclude what a run cannot prove. */
export declare function filterTags(isFull: boolean, platform: NodeJS.Platform): string[];
