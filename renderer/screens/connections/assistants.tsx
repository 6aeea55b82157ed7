// Apps connected by the authorization server: their limits, use and revocation.
import {
  Badge,
  Button,
  Checkbox,
  Code,
  Group,
  Modal,
  PasswordInput,
  Skeleton,
  Stack,
  Table,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type IdentityProvider,
  identityProvider,
} from '../../../engine/contract/identity-provider.ts';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import {
  passwordCharactersMax,
  passwordCharactersMin,
} from '../../../engine/contract/limits/accounts.ts';
import { authorizations, type Connection, login } from '../../../engine/contract/oauth.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/live.ts';
import { Ago } from '../../components/ago.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DialogForm } from '../../components/dialogs.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import classes from './connections.module.css';
import { RevokeButton, Spending } from './keys-table.tsx';

function RedirectUris({ uris }: { uris: readonly string[] }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        Redirect URIs
      </Text>
      <Caption mb={4}>
        Register both at the provider. Assistants use either name of this computer.
      </Caption>
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

interface IdentityProviderFormProps {
  environment: EnvironmentName;
  known: IdentityProvider;
  onClose: () => void;
}

function IdentityProviderForm({ environment, known, onClose }: IdentityProviderFormProps) {
  const typed = useFields(known);
  const save = useChange(
    () => ask(identityProvider.set, typed.body, { environment }),
    ['identity-provider'],
    { done: 'The identity provider was saved. Check whether it responds.' },
  );
  return (
    <DialogForm
      change={save}
      isWhole={typed.isWhole}
      act="Save provider"
      failed="The provider was not saved"
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <RedirectUris uris={known.redirect_uris} />
      <ClientInputs typed={typed} hasSecret={known.provider?.has_secret ?? false} />
      <PeopleInputs typed={typed} />
    </DialogForm>
  );
}

const hostOf = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer);

function describeSettings({ provider }: IdentityProvider): string {
  if (!provider) return 'No identity provider is set.';
  const [only] = [...provider.emails, ...provider.subjects];
  const count = provider.emails.length + provider.subjects.length;
  const people = count === 1 ? only : `${showCount(count)} people`;
  return `Identity provider: ${hostOf(provider.issuer)}, for ${people}`;
}

function CheckButton({ environment }: { environment: EnvironmentName }) {
  const check = useChange(() => ask(identityProvider.check, {}, { environment }), [], {
    failed: 'The provider could not be checked',
  });
  return (
    <Button
      size="compact-sm"
      loading={check.isPending}
      onClick={() =>
        check.mutate(undefined, {
          onSuccess: ({ ok, detail }) =>
            ok ? showSuccess(detail) : showFailure('The provider is not responding', detail),
        })
      }
    >
      Check
    </Button>
  );
}

function IdentityProviderCard({ environment }: { environment: EnvironmentName }) {
  const [isOpen, dialog] = useDisclosure(false);
  const { data } = useAnswer(['identity-provider', environment], identityProvider.read, {
    environment,
  });
  const remove = useChange(
    () => ask(identityProvider.remove, {}, { environment }),
    ['identity-provider'],
    { failed: 'The provider was not removed' },
  );
  if (!data) return null;
  return (
    <Group gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {describeSettings(data)}
      </Text>
      <Button size="compact-sm" onClick={dialog.open}>
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
            onConfirm={() => remove.mutate()}
          >
            Remove provider
          </ConfirmButton>
        </>
      )}
      <Modal opened={isOpen} onClose={dialog.close} title="Identity provider">
        <IdentityProviderForm environment={environment} known={data} onClose={dialog.close} />
      </Modal>
    </Group>
  );
}

interface LoginFormProps {
  environment: EnvironmentName;
  known: string;
  onClose: () => void;
}

function LoginForm({ environment, known, onClose }: LoginFormProps) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const save = useChange(() => ask(login.set, { email, password }, { environment }), ['login'], {
    done: 'Email and password were saved.',
  });
  const isWhole = /.@./.test(email) && password.length >= passwordCharactersMin;
  return (
    <DialogForm
      change={save}
      isWhole={isWhole}
      act="Save login"
      failed="The login was not saved"
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        description={`At least ${passwordCharactersMin} characters.`}
        autoComplete="new-password"
        maxLength={passwordCharactersMax}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

function AssistantsLogin({ environment }: { environment: EnvironmentName }) {
  const [isOpen, dialog] = useDisclosure(false);
  const { data } = useAnswer(['login', environment], login.read, { environment });
  const remove = useChange(() => ask(login.remove, {}, { environment }), ['login'], {
    failed: 'The login was not removed',
  });
  return (
    <Group gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {data ? `Login: ${data.email}` : 'No login is set.'}
      </Text>
      <Button size="compact-sm" onClick={dialog.open}>
        {data ? 'Change login' : 'Add login'}
      </Button>
      {data && (
        <ConfirmButton
          size="compact-sm"
          title="Remove this login?"
          sentence="Apps can then be authorized only in this app. Connected apps stay connected."
          act="Remove"
          loading={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Remove
        </ConfirmButton>
      )}
      <Modal opened={isOpen} onClose={dialog.close} title="Email and password">
        <LoginForm environment={environment} known={data?.email ?? ''} onClose={dialog.close} />
      </Modal>
    </Group>
  );
}

/** The engine records the use of keys once a minute. */
const refreshIntervalMs = 3_000;

interface ConnectionRowProps {
  item: Connection;
  now: number;
  environment: EnvironmentName;
}

function ConnectionRow({ item, now, environment }: ConnectionRowProps) {
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>
        <div className={classes.label}>{item.client_name}</div>
        <Group gap={6}>
          <Code fz="xs">{item.redirect_host}</Code>
          <Badge variant="default" size="sm" tt="none">
            unverified
          </Badge>
        </Group>
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        <Ago time={item.created_at} now={now} />
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        {item.last_used_at ? <Ago time={item.last_used_at} now={now} /> : 'never'}
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        <Spending spent={item.spent_today} cap={item.cap_per_day} period="day" />
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        <Spending spent={item.spent_this_month} cap={item.cap_per_month} period="month" />
      </Table.Td>
      <Table.Td ta="right">
        <RevokeButton item={item} environment={environment} />
      </Table.Td>
    </Table.Tr>
  );
}

export function Assistants({ environment }: { environment: EnvironmentName }) {
  const { data, error, refetch, dataUpdatedAt } = useAnswer(
    ['connections', environment],
    authorizations.connections,
    { environment, refetchInterval: refreshIntervalMs },
  );
  const connected = data?.filter(({ revoked_at: revokedAt }) => revokedAt === null) ?? [];
  return (
    <Section
      title="Connected assistants"
      sentence="Apps that you authorized. Each has its own key, whose caps you can change below."
    >
      <Stack gap="lg">
        <ErrorPanel title="The assistants could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={100} />}
        {data && connected.length === 0 && (
          <EmptyState
            Icon={IconPlugConnected}
            title="No assistant is connected"
            sentence="Add the tool server to an assistant. It then asks for your consent here."
          />
        )}
        {connected.length > 0 && (
          <TableCard
            label="Connected apps"
            columns={[
              'Program',
              'Since',
              'Last used',
              '>Credits today (UTC)',
              '>This month',
              '>Actions',
            ]}
            widthMinPx={760}
          >
            {connected.map((item) => (
              <ConnectionRow
                key={item.id}
                item={item}
                now={dataUpdatedAt}
                environment={environment}
              />
            ))}
          </TableCard>
        )}
        <Note>
          The app asks for your consent. To answer in a browser instead, add a login with an email
          and password, or your identity provider (OpenID Connect).
        </Note>
        <AssistantsLogin environment={environment} />
        <IdentityProviderCard environment={environment} />
      </Stack>
    </Section>
  );
}
