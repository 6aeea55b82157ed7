/** Settings of an identity provider: its issuer, this client, and the people who may authorize. */

import {
  Button,
  Checkbox,
  Code,
  Group,
  PasswordInput,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type IdentityProvider,
  identityProvider,
} from '../../../engine/contract/identity-provider.ts';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showSuccess } from '../../components/toast.ts';

function RedirectUris({ uris }: { uris: readonly string[] }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        Redirect URIs
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        Register both at the provider. Assistants use either name of this computer.
      </Text>
      <Stack gap={4}>
        {uris.map((uri) => (
          <Group key={uri} gap="sm" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{uri}</Code>
            <CopyButton value={uri} label={`Copy ${uri}`} />
          </Group>
        ))}
      </Stack>
    </div>
  );
}

/** The form's fields and the resulting settings. */
function useFields({ provider }: IdentityProvider) {
  const [issuer, setIssuer] = useState(provider?.issuer ?? '');
  const [clientId, setClientId] = useState(provider?.client_id ?? '');
  const [secret, setSecret] = useState('');
  const [forgets, setForgets] = useState(false);
  const [emails, setEmails] = useState<string[]>(provider?.emails ?? []);
  const [subjects, setSubjects] = useState<string[]>(provider?.subjects ?? []);
  const isWhole =
    /^https?:\/\/./.test(issuer.trim()) &&
    clientId.trim() !== '' &&
    emails.length + subjects.length > 0;
  const body = {
    issuer,
    client_id: clientId,
    emails,
    subjects,
    ...(secret !== '' && { client_secret: secret }),
    ...(forgets && { client_secret: null }),
  };
  const client = { issuer, setIssuer, clientId, setClientId };
  const people = { emails, setEmails, subjects, setSubjects };
  return { ...client, secret, setSecret, forgets, setForgets, ...people, isWhole, body };
}
type Fields = ReturnType<typeof useFields>;

function ClientInputs({ typed, hasSecret }: { typed: Fields; hasSecret: boolean }) {
  return (
    <>
      <TextInput
        label="Issuer"
        description="The provider’s issuer URL: https, or http on this computer."
        placeholder="https://accounts.example.com"
        data-autofocus
        value={typed.issuer}
        onChange={(event) => typed.setIssuer(event.currentTarget.value)}
      />
      <TextInput
        label="Client ID"
        description="The ID of this app at the provider."
        autoComplete="off"
        value={typed.clientId}
        onChange={(event) => typed.setClientId(event.currentTarget.value)}
      />
      <PasswordInput
        label="Client secret"
        description={
          hasSecret
            ? 'A secret is saved. Leave this empty to keep it for the same issuer and client.'
            : 'Leave this empty if the provider gave you none.'
        }
        autoComplete="off"
        disabled={typed.forgets}
        value={typed.secret}
        onChange={(event) => typed.setSecret(event.currentTarget.value)}
      />
      {hasSecret && (
        <Checkbox
          label="Remove the secret"
          checked={typed.forgets}
          onChange={(event) => {
            typed.setForgets(event.currentTarget.checked);
            typed.setSecret('');
          }}
        />
      )}
    </>
  );
}

function PeopleInputs({ typed }: { typed: Fields }) {
  return (
    <>
      <TagsInput
        label="People who may authorize assistants"
        description="Their emails. Press Enter to add one. No one else may authorize assistants."
        placeholder={typed.emails.length === 0 ? 'me@example.com' : ''}
        value={typed.emails}
        onChange={typed.setEmails}
      />
      <TagsInput
        label="Or by subject"
        description="The provider’s ID of a person (sub), if it returns no email."
        value={typed.subjects}
        onChange={typed.setSubjects}
      />
    </>
  );
}

export function IdentityProviderForm({
  environment,
  known,
  onClose,
}: {
  environment: EnvironmentName;
  known: IdentityProvider;
  onClose: () => void;
}) {
  const typed = useFields(known);
  const save = useChange(
    () => ask(identityProvider.set, typed.body, { environment: environment }),
    ['identity-provider'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!typed.isWhole) return;
    save.mutate(undefined, {
      onSuccess: () => {
        onClose();
        showSuccess('The identity provider was saved. Check whether it responds.');
      },
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <RedirectUris uris={known.redirect_uris} />
        <ClientInputs typed={typed} hasSecret={known.provider?.has_secret ?? false} />
        <PeopleInputs typed={typed} />
        <ErrorPanel title="The provider was not saved" error={save.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!typed.isWhole} loading={save.isPending}>
            Save provider
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
