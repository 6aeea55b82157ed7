/** Limits of backup and doctor. */

/** Bytes of the list of files in a backup. */
export const backupManifestBytesMax = 64 * 1024 * 1024;

/** Free bytes under which `doctor` warns, and under which it says that work will soon stop. */
export const freeDiskWarningBytes = 1024 ** 3;

export const freeDiskWrongBytes = 100 * 1024 ** 2;
