// What child processes see of the environment.
import { expect, test } from 'vitest';
import { childEnvironment } from '../../engine/platform/child-environment.ts';

test.each([
  'PGPASSWORD',
  'DB_PASSWD',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'HUNTER_API_KEY',
  'OPENAI_APIKEY',
  'SIGNING_PRIVATE_KEY',
  'GOOGLE_APPLICATION_CREDENTIALS',
])('a child does not see %s', (name) => {
  expect(childEnvironment({ [name]: 'secret', HOME: '/home/ada' })).toEqual({ HOME: '/home/ada' });
});

test.each([
  'PATH',
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'HTTPS_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'XAUTHORITY',
  'XDG_ACTIVATION_TOKEN',
])('a child sees %s, which it needs', (name) => {
  expect(childEnvironment({ [name]: 'value' })).toEqual({ [name]: 'value' });
});
