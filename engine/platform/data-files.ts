/** The names of what an environment keeps in its folder, and of what only passes through it. */

/** A database of an environment. */
export type DatabaseFile = 'engine.db' | 'directory.db';

const databases = String.raw`(engine|directory)\.db(-wal|-shm|-journal)?`;
const indexes = String.raw`directory\.(index|search)`;

/** What the directory consists of: its database and the indexes that are built from it. */
export const directoryNames = new RegExp(
  String.raw`^(directory\.db(-wal|-shm|-journal)?|${indexes}(\.new)?)$`,
);

/** What an environment keeps from one start to the next. */
export const keptNames = new RegExp(
  `^(${databases}|${indexes}|engine\\.key|tool-sessions\\.key|jobs|uploads)$`,
);

/** What lives for one piece of work: after a kill it is left over. */
export const passingNames = new RegExp(
  `^((import|match|sample|sandbox)-.+|backup-copies|.+\\.tmp|${indexes}\\.new)$`,
);

/** What belongs to the process that owns the folder. */
export const ownerNames = /^engine\.(lock(-wal|-shm|-journal)?|guest|sock)$/;

/** Where the former files are kept after an empty start; the time follows. */
export const asidePrefix = 'before-new-';

/** The folder of the staging environment within a data folder. */
export const stagingFolder = 'staging';
