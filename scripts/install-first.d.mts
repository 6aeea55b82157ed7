/** Installs what starting needs into node_modules, which must not exist. */
export function installFirst(
  root: string,
  install: (folder: string) => Promise<unknown>,
): Promise<void>;
