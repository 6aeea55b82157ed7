/** The directory's counts and imports. */
import { useQuery } from '@tanstack/react-query';
import { directory } from '../../engine/contract/directory.ts';
import { ask } from './client.ts';

export const useDirectory = () =>
  useQuery({ queryKey: ['directory'], queryFn: () => ask(directory.read) });
