// Uploads several files as one list.
import {
  compareColumns,
  describeDifference,
} from '../../../../engine/contract/reading/compare-columns.ts';
import { type Upload, uploads } from '../../../../engine/contract/uploads.ts';
import { ApiError, ask } from '../../../api/client.ts';
import { type ReadingChoice, uploadSpreadsheet } from '../../../api/upload.ts';

/** A file that cannot be part of the list, and why, as the end of a sentence about it. */
export interface OtherFile {
  readonly file: File;
  readonly reason: string;
}

/** Files that cannot become one list, because some have other columns or cannot be read. */
export class DifferentFiles extends Error {
  override name = 'DifferentFiles';
  /** The files with the same columns, in order. */
  readonly same: readonly File[];
  readonly others: readonly OtherFile[];

  constructor(same: readonly File[], others: readonly OtherFile[]) {
    super('The files have different columns.');
    this.same = same;
    this.others = others;
  }
}

const removeUpload = ({ upload_id }: Upload) =>
  ask(uploads.remove, { upload_id }).catch(() => undefined);

/** Reads one of the files. Returns why it cannot be read if the engine refuses it. */
async function readOne(file: File, reading: ReadingChoice, signal: AbortSignal) {
  const origin = { ...reading, origin: 'columns' } as const;
  try {
    return await uploadSpreadsheet({ file }, () => undefined, signal, origin);
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status === 400;
    if (!isRefusal || signal.aborted) throw error;
    return `cannot be read. ${error.message}`;
  }
}

/** Divides the files into those with the columns of the first one that can be read, and others. */
function divide(files: readonly File[], found: readonly (Upload | string)[]): DifferentFiles {
  const first = found.find((one) => typeof one !== 'string');
  const others = files.flatMap((file, at): OtherFile[] => {
    const one = found[at];
    if (typeof one === 'string') return [{ file, reason: one }];
    const difference = one && first ? compareColumns(first.labels, one.labels) : null;
    return difference ? [{ file, reason: `${describeDifference(difference)}.` }] : [];
  });
  const left = new Set(others.map(({ file }) => file));
  return new DifferentFiles(
    files.filter((file) => !left.has(file)),
    others,
  );
}

/**
 * Uploads the files one after the other and joins them. Throws DifferentFiles if some are not part
 * of the list; nothing stays uploaded then.
 * @param onFile called with the number of files that are done
 */
export async function uploadTogether(
  files: readonly File[],
  onFile: (done: number) => void,
  signal: AbortSignal,
  reading: ReadingChoice,
): Promise<Upload> {
  const found: (Upload | string)[] = [];
  const read = () => found.filter((one) => typeof one !== 'string');
  try {
    for (const [at, file] of files.entries()) {
      onFile(at);
      found.push(await readOne(file, reading, signal));
    }
    const divided = divide(files, found);
    if (divided.others.length > 0) throw divided;
    onFile(files.length);
    const ids = read().map((upload) => upload.upload_id);
    return await ask(uploads.join, { upload_ids: ids }, { signal });
  } catch (error) {
    await Promise.all(read().map(removeUpload));
    throw error;
  }
}
