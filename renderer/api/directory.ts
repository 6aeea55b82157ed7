// The directory's counts and imports.
import { directory } from '../../engine/contract/directory.ts';
import { useAnswer } from './live.ts';

export const useDirectory = () => useAnswer(['directory'], directory.read);
