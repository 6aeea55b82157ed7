// Types of stage.mjs.
export function listPackageFiles(root: string): Record<string, string>;
export function writePackageManifest(project: Record<string, unknown>): {
  engines: { node: string };
  bin: { desk: string };
  dependencies: Record<string, string>;
} & Record<string, unknown>;
export function writeServerEntry(project: Record<string, unknown>): Record<string, unknown> & {
  name: string;
  description: string;
};
export function writeJson(path: string, value: unknown): void;
export function stagePackage(root: string, folder: string): void;
