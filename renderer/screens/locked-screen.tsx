// The page of a browser without a session.
import { Alert, Center, Code, Stack, Text, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { onSessionChange, readLinkFailure } from '../api/session.ts';

export function LockedScreen() {
  const failure = useSyncExternalStore(onSessionChange, readLinkFailure);
  return (
    <Center component="main" h="100%" p="xl">
      <Stack maw={460} gap="md">
        <IconLock size={28} stroke={1.5} aria-hidden />
        <Title order={1}>This page is locked</Title>
        {failure !== null && (
          <Alert color="red" role="alert" title="The link did not open this page">
            {failure}
          </Alert>
        )}
        <Text>
          A browser needs a one-time link from the engine, so that no other page or program on this
          machine can spend your credits. This browser has not opened one yet, or it was closed in
          Settings.
        </Text>
        <Text>
          Run <Code>desk open</Code> (in the project’s folder: <Code>npm run desk -- open</Code>)
          and open the link that it prints. You can paste it into this tab. No data is lost, and
          running jobs continue.
        </Text>
      </Stack>
    </Center>
  );
}
