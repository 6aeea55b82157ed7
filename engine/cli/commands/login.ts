/** `desk login …`: the email and password of an account for authorizing assistants. */
import { passwordCharactersMax, passwordCharactersMin } from '../../contract/limits/accounts.ts';
import { login, NewLoginSchema } from '../../contract/oauth.ts';
import type { Call, Command } from '../kit/command.ts';
import { badUsage } from '../kit/refusal.ts';

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

/** `desk login set`, `show` and `remove`. */
export const loginCommands: readonly Command[] = [
  {
    name: 'login set',
    summary: 'Set the email and password of an account for authorizing assistants',
    args: '<EMAIL>',
    notes: ['The password is read from standard input. A terminal asks for it without echo.'],
    async run(call) {
      const [email = ''] = call.positionals;
      if (!NewLoginSchema.shape.email.safeParse(email).success)
        throw badUsage(`"${email}" is not an email. Give one such as me@example.com.`);
      const password = await readPassword(call);
      const engine = await call.openEngine();
      const known = await engine.ask(login.set, { email, password });
      return { json: known, lines: [describeLogin(known)] };
    },
  },
  {
    name: 'login show',
    summary: 'Show the login email of an account',
    async run(call) {
      const engine = await call.openEngine();
      const known = await engine.ask(login.read);
      return { json: known, lines: [describeLogin(known)] };
    },
  },
  {
    name: 'login remove',
    summary: 'Remove the login of an account; connected apps stay',
    async run(call) {
      const engine = await call.openEngine();
      const known = await engine.ask(login.remove);
      return { json: known, lines: [describeLogin(known)] };
    },
  },
];
