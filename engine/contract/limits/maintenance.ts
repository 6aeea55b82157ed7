// Limits of backup and doctor.

/** Bytes of the file list in a backup. */
export const backupManifestBytesMax = 64 * 1024 * 1024;

/** Free bytes below which `doctor` warns, and below which it reports an error. */
export const freeDiskWarningBytes = 1024 ** 3;

export const freeDiskWrongBytes = 100 * 1024 ** 2;

/** Automatic backups that an environment keeps; older ones are deleted. */
export const automaticBackupsMax = 3;

export const reserveBytes = 1024 ** 2;

/** What must fit on the disk for writes to be possible: more than the reserve. */
export const spaceProbeBytes = 2 * reserveBytes;

export const spaceProbeIntervalMs = 5_000;

/** Records of exports and backups that wait in memory while the disk is full. */
export const waitingNotesMax = 1_000;
