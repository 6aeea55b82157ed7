/** The page of a browser that was not opened by the engine's one-time link. */
import { Center, Code, Stack, Text, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';

/** Explains how to open a session. */
export function LockedScreen() {
  return (
    <Center component="main" h="100%" p="xl">
      <Stack maw={440} gap="md">
        <IconLock size={28} stroke={1.5} aria-hidden />
        <Title order={1}>This page is locked</Title>
        <Text>
          Only the one-time link that the engine prints opens it, so that no other page on this
          machine can spend your credits.
        </Text>
        <Text>
          Run <Code>npm start</Code> or <Code>npm run desk -- serve --open</Code> and open the
          address it shows. No data is lost, and running jobs continue.
        </Text>
      </Stack>
    </Center>
  );
}
