// `desk login …`: an email and a password for authorizing assistants, or an identity provider.
import { type IdentityProvider, identityProvider } from '../../contract/identity-provider.ts';
import { passwordCharactersMax, passwordCharactersMin } from '../../contract/limits/accounts.ts';
import { login, NewLoginSchema } from '../../contract/oauth.ts';
import { answerOf, type Call, type Command, readOption, requireOption } from '../kit/command.ts';
import { badUsage } from '../kit/refusal.ts';

const listWords = (text: string | undefined): string[] =>
  (text ?? '').split(',').flatMap((word) => word.trim() || []);

/** The secret of --client-secret-stdin: undefined without it, null for --no-client-secret. */
async function readSecret(call: Call): Promise<string | null | undefined> {
  if (call.values['no-client-secret'] === true) return null;
  if (call.values['client-secret-stdin'] !== true) return undefined;
  const secret = (await call.terminal.readSecret('Client secret: ')).replace(/\r?\n$/, '');
  if (secret !== '') return secret;
  throw badUsage(
    'Send the secret on standard input, such as: … --client-secret-stdin < secret.txt',
  );
}

function describeProvider({ provider, redirect_uris: redirects }: IdentityProvider): string[] {
  const register = [
    'Register these addresses there as redirect URIs:',
    ...redirects.map((uri) => `  ${uri}`),
  ];
  if (!provider) return [...register, 'No identity provider is set.'];
  const allowed = [...provider.emails, ...provider.subjects].join(', ');
  return [
    `Issuer: ${provider.issuer}`,
    `Client: ${provider.client_id} (${provider.has_secret ? 'with a' : 'without a'} secret)`,
    ...register,
    `May authorize apps: ${allowed}`,
  ];
}

function requireEmail(email: string): void {
  if (NewLoginSchema.shape.email.safeParse(email).success) return;
  throw badUsage(`"${email}" is not an email. Give one such as me@example.com.`);
}

const setCommand: Command = {
  name: 'login provider set',
  summary: 'Set the identity provider (OpenID Connect) for logins that authorize assistants',
  args: '<ISSUER>',
  options: {
    'client-id': { value: 'ID', summary: 'the client id at the provider', isRequired: true },
    'client-secret-stdin': { summary: 'read the client secret from standard input' },
    'no-client-secret': { summary: 'remove the client secret' },
    allow: {
      value: 'EMAILS',
      summary: 'emails of those who may authorize assistants, separated by commas',
      isRequired: true,
    },
    'allow-subject': {
      value: 'IDS',
      summary: "the same, by the provider's subject identifiers (sub)",
    },
  },
  notes: ['No one else may. Without a new secret, that of the same issuer and client is kept.'],
  async run(call) {
    const body = {
      issuer: call.positionals[0] ?? '',
      client_id: requireOption(call, 'client-id', 'give the id that the provider has for this app'),
      emails: listWords(readOption(call, 'allow')),
      subjects: listWords(readOption(call, 'allow-subject')),
      client_secret: await readSecret(call),
    };
    for (const email of body.emails) requireEmail(email);
    if (body.emails.length + body.subjects.length === 0)
      throw badUsage('--allow is missing: name who may authorize apps, such as me@example.com.');
    return answerOf(call, identityProvider.set, body, (set) => describeProvider(set));
  },
};

const providerCommands: readonly Command[] = [
  setCommand,
  {
    name: 'login provider show',
    summary: 'Show the identity provider of an account, and the addresses to register there',
    run: (call) => answerOf(call, identityProvider.read, {}, (shown) => describeProvider(shown)),
  },
  {
    name: 'login provider check',
    summary: 'Check whether the identity provider responds',
    async run(call) {
      const engine = await call.openEngine();
      const found = await engine.ask(identityProvider.check);
      return { exitCode: found.ok ? 0 : 1, json: found, lines: [found.detail] };
    },
  },
  {
    name: 'login provider remove',
    summary: 'Remove the identity provider of an account; connected apps stay',
    run: (call) =>
      answerOf(call, identityProvider.remove, {}, () => ['No identity provider is set.']),
  },
];

/** The password without a line break. Throws bad usage if it is too short or too long. */
async function readPassword(call: Call): Promise<string> {
  const password = (await call.terminal.readSecret('Password: ')).replace(/\r?\n$/, '');
  const { length } = password;
  if (length >= passwordCharactersMin && length <= passwordCharactersMax) return password;
  throw badUsage(
    length === 0
      ? 'Send the password on standard input, such as: desk login set EMAIL < password.txt'
      : `A password has ${passwordCharactersMin} to ${passwordCharactersMax} characters.`,
  );
}

const describeLogin = (known: { email: string } | null): string =>
  known ? `Logs in as ${known.email}.` : 'No login is set.';

export const loginCommands: readonly Command[] = [
  {
    name: 'login set',
    summary: 'Set the email and password of an account for authorizing assistants',
    args: '<EMAIL>',
    notes: ['The password is read from standard input. A terminal asks for it without echo.'],
    async run(call) {
      const [email = ''] = call.positionals;
      requireEmail(email);
      const password = await readPassword(call);
      return answerOf(call, login.set, { email, password }, (known) => [describeLogin(known)]);
    },
  },
  {
    name: 'login show',
    summary: 'Show the login email of an account',
    run: (call) => answerOf(call, login.read, {}, (known) => [describeLogin(known)]),
  },
  {
    name: 'login remove',
    summary: 'Remove the login of an account; connected apps stay',
    run: (call) => answerOf(call, login.remove, {}, (known) => [describeLogin(known)]),
  },
  ...providerCommands,
];
