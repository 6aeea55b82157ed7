/** Builds main, preload, engine and interface, unless out/ is up to date. */
export declare function ensureBuilt(root: string): Promise<void>;
/** Builds them even if no source has changed. */
export declare function buildApp(root: string): Promise<void>;
