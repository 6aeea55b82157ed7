// Types of feed.mjs.
export function layOutFeed(folder: string, out: string): Promise<void>;
