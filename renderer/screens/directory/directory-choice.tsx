// The choice between the directory of this computer and the team's.
import { SegmentedControl } from '@mantine/core';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';

/**
 * The only directory that has something to find: the own one without a team's, the team's if the
 * own one is empty. Null for both.
 * @param own number of people or companies of the own directory
 */
export function onlyDirectory(hasTeam: boolean | undefined, own: number): SearchedDirectory | null {
  if (!hasTeam) return 'own';
  return own === 0 ? 'team' : null;
}

interface DirectoryChoiceProps {
  directory: SearchedDirectory;
  onChange: (directory: SearchedDirectory) => void;
}

export function DirectoryChoice({ directory, onChange }: DirectoryChoiceProps) {
  return (
    <SegmentedControl
      aria-label="Directory that is searched"
      w="fit-content"
      mb="sm"
      size="sm"
      transitionDuration={0}
      data={[
        { value: 'own', label: 'This computer' },
        { value: 'team', label: 'Team' },
      ]}
      value={directory}
      onChange={(value) => onChange(value as SearchedDirectory)}
    />
  );
}
