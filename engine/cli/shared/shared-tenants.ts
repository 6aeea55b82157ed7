// `desk shared tenants`: several teams in one database, separated by row-level security.
import { randomBytes } from 'node:crypto';
import {
  addTenantLogin,
  listTenants,
  removeTenant,
  type TenantRole,
  tenantRoles,
} from '../../shared/roles/tenants.ts';
import { type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import { formatCount, formatTable } from '../kit/format-text.ts';
import { badUsage } from '../kit/refusal.ts';
import { sharedOptions, withShared } from './open-shared.ts';

function readRole(call: Call): TenantRole {
  const text = readOption(call, 'role') ?? 'queue';
  if (!Object.hasOwn(tenantRoles, text))
    throw badUsage(`--role ${text} is none of ${Object.keys(tenantRoles).join(', ')}.`);
  return text as TenantRole;
}

const runAdd = (call: Call): Promise<Outcome> => {
  const [tenant = '', login = ''] = call.positionals;
  const role = readRole(call);
  const password = call.values.existing === true ? null : randomBytes(18).toString('base64url');
  return withShared(call, async (connection) => {
    const isNew = await addTenantLogin(connection, { tenant, login, role, password });
    const shown = isNew ? password : null;
    return {
      json: { tenant, login, role, password: shown },
      lines: [
        ...(shown === null ? [] : [`Password, shown once: ${shown}`]),
        `${login} is a ${role} of ${tenant}, and sees only the rows of this team.`,
      ],
    };
  });
};

const runList = (call: Call): Promise<Outcome> =>
  withShared(call, async (connection) => {
    const tenants = await listTenants(connection);
    const lines = tenants.map(({ tenant, people, logins }) => [
      tenant,
      `${formatCount(people)} people`,
      logins.join(', ') || 'no login',
    ]);
    return { json: tenants, lines: formatTable(lines) };
  });

const runRemove = (call: Call): Promise<Outcome> => {
  const [tenant = ''] = call.positionals;
  return withShared(call, async (connection) => {
    const removed = await removeTenant(connection, tenant, call.values['with-people'] === true);
    const { people, logins } = removed;
    return {
      json: removed,
      lines: [`${tenant} is removed: ${formatCount(people)} people, ${logins.length} logins.`],
    };
  });
};

const notes = ['The login in --url must be a superuser. Its password is read from PGPASSWORD.'];

export const sharedTenants: readonly Command[] = [
  {
    name: 'shared tenants add',
    summary: 'Make a login a member of a team, and separate the teams of a database',
    args: '<TEAM> <LOGIN>',
    options: {
      ...sharedOptions,
      role: {
        value: 'ROLE',
        summary: 'reader, jobs (engines), queue (default: also workers) or loader',
      },
      existing: { summary: 'the login exists already; none is created' },
    },
    notes: [
      ...notes,
      'A missing team or login is created. Rows that were loaded before belong to the team "team".',
    ],
    run: runAdd,
  },
  {
    name: 'shared tenants list',
    summary: 'List the teams of a database, with their logins',
    options: sharedOptions,
    notes,
    run: runList,
  },
  {
    name: 'shared tenants remove',
    summary: 'Remove a team of a database, and drop its logins',
    args: '<TEAM>',
    options: { ...sharedOptions, 'with-people': { summary: 'delete its people too' } },
    notes,
    run: runRemove,
  },
];
