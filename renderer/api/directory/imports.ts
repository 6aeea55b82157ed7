/** The directory's counts and imports. */
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { DirectoryStatsSchema, ImportReportSchema } from '../../../engine/contract/directory.ts';
import { call } from '../client.ts';
import { paths } from '../transport/first-requests.ts';

const readDirectory = () => call(DirectoryStatsSchema, paths.directory);

/** The directory's counts and imports. */
export const useDirectory = () => useQuery({ queryKey: ['directory'], queryFn: readDirectory });

/** Undoes an import. */
export const undoImport = (importId: number) =>
  call(ImportReportSchema, `/app/v1/directory/imports/${importId}/undo`, {
    method: 'POST',
    body: {},
  });

/** Imports the sample directory. Returns its report once it is searchable. */
export const loadSample = () =>
  call(ImportReportSchema, '/app/v1/directory/sample?wait=1', { method: 'POST', body: {} });

/** Removes the sample directory. */
export const removeSample = () =>
  call(z.unknown(), '/app/v1/directory/sample', { method: 'DELETE' });
