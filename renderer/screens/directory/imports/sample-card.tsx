/** The sample directory: real public people and organisations, loaded or removed with one click. */

import { Button, Card, Group, Text, Title } from '@mantine/core';
import { imports, toItsEnd } from '../../../../engine/contract/imports.ts';
import { useAppState, useCall } from '../../../api/live.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { showFailure, showSuccess } from '../../../components/toast.ts';

const changed = ['directory', 'state', 'estimate'];

/** Loads or removes the sample. */
export function SampleCard() {
  const { data: state } = useAppState();
  const load = useCall(toItsEnd(imports.addSample), changed);
  const remove = useCall(imports.removeSample, changed);
  if (!state) return null;
  const { loaded } = state.sample;
  return (
    <Card component="section" aria-labelledby="sample-title">
      <Group justify="space-between" gap="lg">
        <div>
          <Title order={2} id="sample-title">
            Sample directory
          </Title>
          <Text size="sm" c="dimmed">
            {loaded
              ? 'Loaded. Your own people and companies stay if you remove it.'
              : 'Real public office holders and organisations, to try the app with.'}
          </Text>
        </div>
        {loaded ? (
          <ConfirmButton
            title="Remove the sample directory?"
            sentence="Its people and companies are removed from the directory. Your imports stay."
            act="Remove the sample"
            loading={remove.isPending}
            onConfirm={() =>
              remove.mutate(
                {},
                {
                  onSuccess: () => showSuccess('The sample directory was removed.'),
                  onError: (error) => showFailure('The sample was not removed', error),
                },
              )
            }
          >
            Remove the sample
          </ConfirmButton>
        ) : (
          <Button
            variant="default"
            loading={load.isPending}
            onClick={() =>
              load.mutate(
                { wait: '1' },
                {
                  onSuccess: () => showSuccess('The sample directory is loaded.'),
                  onError: (error) => showFailure('The sample was not loaded', error),
                },
              )
            }
          >
            Load the sample
          </Button>
        )}
      </Group>
    </Card>
  );
}
