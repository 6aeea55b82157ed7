/** The identity provider where people log in to answer the authorization server's page. */

import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  identityProvider,
  type IdentityProvider as Settings,
} from '../../../engine/contract/identity-provider.ts';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showCount } from '../../components/numbers.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { IdentityProviderForm } from './identity-provider-form.tsx';

const hostOf = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer);

/** The issuer and the number of allowed people. */
function describeSettings({ provider }: Settings): string {
  if (!provider) return 'No identity provider is set.';
  const [only] = [...provider.emails, ...provider.subjects];
  const count = provider.emails.length + provider.subjects.length;
  const people = count === 1 ? only : `${showCount(count)} people`;
  return `Identity provider: ${hostOf(provider.issuer)}, for ${people}`;
}

function CheckButton({ environment }: { environment: EnvironmentName }) {
  const check = useChange(() => ask(identityProvider.check, {}, { environment: environment }), []);
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={check.isPending}
      onClick={() =>
        check.mutate(undefined, {
          onSuccess: ({ ok, detail }) =>
            ok ? showSuccess(detail) : showFailure('The provider is not responding', detail),
          onError: (error) => showFailure('The provider could not be checked', error),
        })
      }
    >
      Check
    </Button>
  );
}

export function IdentityProvider({ environment }: { environment: EnvironmentName }) {
  const [isOpen, dialog] = useDisclosure(false);
  const { data } = useQuery({
    queryKey: ['identity-provider', environment],
    queryFn: () => ask(identityProvider.read, {}, { environment: environment }),
  });
  const remove = useChange(
    () => ask(identityProvider.remove, {}, { environment: environment }),
    ['identity-provider'],
  );
  if (!data) return null;
  return (
    <Group gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {describeSettings(data)}
      </Text>
      <Button variant="default" size="compact-sm" onClick={dialog.open}>
        {data.provider ? 'Change provider' : 'Add provider'}
      </Button>
      {data.provider && (
        <>
          <CheckButton environment={environment} />
          <ConfirmButton
            size="compact-sm"
            title="Remove this provider?"
            sentence="People can no longer authorize apps there. Connected apps stay connected."
            act="Remove"
            loading={remove.isPending}
            onConfirm={() =>
              remove.mutate(undefined, {
                onError: (error) => showFailure('The provider was not removed', error),
              })
            }
          >
            Remove provider
          </ConfirmButton>
        </>
      )}
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title="Identity provider"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <IdentityProviderForm environment={environment} known={data} onClose={dialog.close} />
      </Modal>
    </Group>
  );
}
