/** How the desktop app runs without its window. */
import { Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Background as Choice } from '../../../main/desktop-contract.ts';
import { describeError } from '../../api/client.ts';

export function Background() {
  const [choice, setChoice] = useState<Choice | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => void window.desk?.readBackground().then(setChoice), []);
  if (window.desk === undefined)
    return (
      <Text size="sm">
        This page runs in a browser. The engine runs as long as the command that started it.
      </Text>
    );
  if (!choice) return <Skeleton height={80} />;
  const change = async (part: Partial<Choice>) => {
    setFault(null);
    try {
      setChoice((await window.desk?.chooseBackground({ ...choice, ...part })) ?? choice);
    } catch (error) {
      setFault(`Not saved: ${describeError(error)}`);
    }
  };
  return (
    <Stack gap="md">
      <Switch
        label="Keep running when the window is closed"
        aria-label="Keep running when the window is closed"
        description="Jobs and assistants keep working. Use the tray icon to open or quit the app."
        checked={choice.keepsRunning}
        onChange={({ currentTarget }) => void change({ keepsRunning: currentTarget.checked })}
      />
      <Switch
        label="Start when I log in"
        aria-label="Start when I log in"
        description="The app starts without a window, as an icon in the tray."
        checked={choice.opensAtLogin}
        onChange={({ currentTarget }) => void change({ opensAtLogin: currentTarget.checked })}
      />
      {fault !== null && (
        <Text role="alert" size="sm" c="var(--desk-failed)">
          {fault}
        </Text>
      )}
    </Stack>
  );
}
