/** Reads a definition file of the user's own, and says what is wrong at which line. */

import { Alert, List, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { definitionBytesMax } from '../../../engine/contract/limits/provider-definitions.ts';
import { providerCalls } from '../../../engine/contract/providers.ts';
import { ApiError, ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { DropArea } from '../../components/drop-area.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showBytes } from '../../components/numbers.ts';

/** Sends the text of a file. Throws an ApiError for a file that is too large to be one. */
async function importFile(file: File) {
  if (file.size > definitionBytesMax)
    throw new ApiError(
      'validation_error',
      `${file.name} has ${showBytes(file.size)}. A definition has at most ` +
        `${showBytes(definitionBytesMax)}.`,
      0,
    );
  return ask(providerCalls.importDefinition, { text: await file.text() });
}

export function DefinitionFile({ onStored }: { onStored: (id: string) => void }) {
  const read = useChange(importFile, ['providers']);
  const faults = read.data?.faults ?? [];
  return (
    <Stack gap="md">
      <DropArea
        label="Use a definition of your own"
        hint="Drop a JSON file or choose one. The documentation describes its format."
        disabled={read.isPending}
        onFile={(file) => read.mutate(file, { onSuccess: ({ id }) => id && onStored(id) })}
      />
      <ErrorPanel title="The file was not added" error={read.error} />
      {faults.length > 0 && (
        <Alert
          color="red"
          role="alert"
          title={`${read.variables?.name} cannot be used`}
          icon={<IconAlertTriangle size={18} aria-hidden />}
        >
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {faults.map(({ line, what }) => (
              <List.Item key={`${line} ${what}`}>
                Line {line}: {what}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}
