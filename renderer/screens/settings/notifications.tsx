/** Whether the system notifies of long jobs that end while the window is not in front. */
import { Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { switchNotifications, wantsNotifications } from '../../preferences/notifications.ts';

const refusal =
  'This browser blocks notifications from this address. Allow them in the browser’s site ' +
  'settings, then switch this on again.';

export function Notifications() {
  const [isOn, setIsOn] = useState(wantsNotifications);
  const [isRefused, setIsRefused] = useState(false);
  const change = async (on: boolean) => {
    setIsRefused(!(await switchNotifications(on)));
    setIsOn(wantsNotifications());
  };
  return (
    <div>
      <Switch
        label="Notify me when a job finishes"
        aria-label="Notify me when a job finishes"
        description="For jobs of more than ten seconds, while this window is in the background."
        checked={isOn}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
      />
      {isRefused && (
        <Text role="alert" size="sm" c="var(--desk-failed)" mt={4}>
          {refusal}
        </Text>
      )}
    </div>
  );
}
