// Names of the permanent and temporary files in an environment's folder.

export type DatabaseFile = 'engine.db' | 'directory.db';

const databases = String.raw`(engine|directory)\.db(-wal|-shm|-journal)?`;
const indexes = String.raw`directory\.(index|search)`;

/** Files of the directory: its database and the indexes built from it. */
export const directoryNames = new RegExp(
  String.raw`^(directory\.db(-wal|-shm|-journal)?|${indexes}(\.new)?)$`,
);

export const keptNames = new RegExp(
  `^(${databases}|${indexes}|engine\\.key|tool-sessions\\.key|jobs|providers|uploads)$`,
);

export const passingNames = new RegExp(
  `^((import|match|sample|sandbox)-.+|backup-copies|.+\\.tmp|${indexes}\\.new)$`,
);

export const ownerNames = /^engine\.(lock(-wal|-shm|-journal)?|secondary|sock|reserve)$/;

/** The file that is deleted on a full disk, so that the databases can be opened. */
export const reserveName = 'engine.reserve';

/** Prefix of folders with the former files after an empty start; followed by the time. */
export const asidePrefix = 'before-new-';

export const automaticBackupsFolder = 'automatic-backups';

/** What follows the name of a data folder that a restore kept next to it; followed by the time. */
export const restoredSuffix = '.before-restore-';

export const stagingFolder = 'staging';
