// Area to drop or choose files, by mouse or keyboard.
import { Group, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { Note } from './text.tsx';

/** For one file, or for several with `onFiles`. The engine decides what it can read. */
export function DropArea({
  label,
  hint,
  onFile,
  onFiles,
  disabled = false,
  tall = false,
}: {
  label: string;
  hint: string;
  onFile: (file: File) => void;
  onFiles?: ((files: readonly File[]) => void) | undefined;
  disabled?: boolean;
  tall?: boolean;
}) {
  return (
    <Dropzone
      onDrop={(files) => {
        if (files.length > 1) onFiles?.(files);
        else if (files[0]) onFile(files[0]);
      }}
      multiple={onFiles !== undefined}
      data-drop-area
      role="button"
      disabled={disabled}
      // The area is the button; a second one in it would confuse readers of the screen.
      inputProps={{ 'aria-label': label, style: { display: 'none' } }}
      p={tall ? 'xl' : 'lg'}
      mih={tall ? 160 : 84}
      display="grid"
      style={{ alignContent: 'center' }}
    >
      <Group gap="md" wrap="nowrap" justify={tall ? 'center' : 'flex-start'}>
        <IconFileSpreadsheet
          size={tall ? 36 : 26}
          stroke={1.4}
          aria-hidden
          color="var(--desk-accent)"
          style={{ flex: 'none' }}
        />
        <div>
          <Text fw={600}>{label}</Text>
          <Note>{hint}</Note>
        </div>
      </Group>
    </Dropzone>
  );
}
