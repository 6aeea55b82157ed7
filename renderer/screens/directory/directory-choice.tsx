/** The choice between the directory of this computer and the team's. */
import { SegmentedControl } from '@mantine/core';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';

/** Whose directory is searched. */
export function DirectoryChoice({
  directory,
  onChange,
}: {
  directory: SearchedDirectory;
  onChange: (directory: SearchedDirectory) => void;
}) {
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
