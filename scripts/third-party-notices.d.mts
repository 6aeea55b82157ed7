// Types of third-party-notices.mjs.
export const shippedAsFolders: readonly string[];
export function findPackageFolder(moduleId: string): string | null;
export function listBundledFolders(viteRoot: string, built: unknown): string[];
export function describePackages(folders: Iterable<string>): {
  name: string;
  version: string;
  licence: string;
  author: string | null;
  origin: string;
  texts: string[];
}[];
export function writeNotices(root: string, folders: Iterable<string>, path: string): void;
