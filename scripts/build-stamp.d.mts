/** Whether out/ is complete and was built from the sources as they are now. */
export declare function isBuilt(root: string): boolean;
/** Runs a build and records its sources. A build that fails leaves no record. */
export declare function recordBuild(root: string, build: () => Promise<void>): Promise<void>;
