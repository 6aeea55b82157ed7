// Updates of the desktop app: whether and from which channel, release notes, and the restart.
import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { UpdateChoice, UpdateState } from '../../../main/desktop-contract.ts';
import { useLock } from '../../api/privacy/organisation.ts';
import { showTime } from '../../components/numbers.ts';
import { Choice } from './choice.tsx';

interface Shown {
  readonly state: UpdateState;
  readonly choice: UpdateChoice;
}

/** The updates of the desktop app; null until they are known. */
function useUpdates() {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    const read = () => void window.desk?.readUpdates().then(setShown);
    read();
    return window.desk?.onUpdates(read);
  }, []);
  const choose = async (choice: UpdateChoice) => {
    await window.desk?.chooseUpdates(choice);
    const read = await window.desk?.readUpdates();
    if (read) setShown(read);
  };
  return { shown, choose };
}

function describeState({ state, current, version, percent, sentence, checked_at }: UpdateState) {
  if (sentence !== null) return sentence;
  if (state === 'checking') return 'Checking for updates …';
  if (state === 'downloading') return `Downloading version ${version}: ${percent ?? 0}%`;
  if (state === 'ready') return `Version ${version} is ready.`;
  if (state === 'preparing') return 'Making a backup. The app restarts after the current batch …';
  return checked_at === null
    ? `Version ${current}.`
    : `Version ${current} is the latest one. Checked ${showTime(checked_at)}.`;
}

function UpdateForm({ shown, choose }: { shown: Shown; choose: (choice: UpdateChoice) => void }) {
  const { state, choice } = shown;
  const modeLock = useLock('updates.mode');
  const channelLock = useLock('updates.channel');
  const isIdle = ['idle', 'refused', 'failed'].includes(state.state);
  const isReady = state.state === 'ready' || state.state === 'preparing';
  const told = (
    <Text size="sm" role="status">
      {describeState(state)}
    </Text>
  );
  // This copy cannot be updated, whatever is chosen: a switch would say that it is on.
  if (state.state === 'off' && choice.isOn) return told;
  return (
    <Stack gap="md">
      <Switch
        label="Check for updates"
        aria-label="Check for updates"
        description={`When the app starts, and every six hours. ${modeLock ?? ''}`}
        disabled={modeLock !== null}
        checked={modeLock === null ? choice.isOn : state.state !== 'off'}
        onChange={({ currentTarget }) => choose({ ...choice, isOn: currentTarget.checked })}
      />
      {channelLock === null ? (
        <Choice
          label="Channel"
          value={choice.channel}
          onChange={(channel) => choose({ ...choice, channel })}
          data={{ stable: 'Stable', beta: 'Beta' }}
        />
      ) : (
        <Text size="sm">
          Channel: {state.channel ?? 'none'}. {channelLock}
        </Text>
      )}
      {told}
      {isReady && state.notes !== '' && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {state.notes}
        </Text>
      )}
      <Group gap="sm">
        {isReady ? (
          <Button
            variant="filled"
            loading={state.state === 'preparing'}
            onClick={() => void window.desk?.restartToUpdate()}
          >
            Restart to update
          </Button>
        ) : (
          <Button
            disabled={!isIdle}
            loading={state.state === 'checking'}
            onClick={() => void window.desk?.checkUpdates()}
          >
            Check now
          </Button>
        )}
      </Group>
    </Stack>
  );
}

export function UpdateSettings() {
  const { shown, choose } = useUpdates();
  if (window.desk === undefined)
    return (
      <Text size="sm">
        This page runs in a browser. The desktop app has its updates here; npm and containers are
        updated by their own commands.
      </Text>
    );
  return shown && <UpdateForm shown={shown} choose={(choice) => void choose(choice)} />;
}
