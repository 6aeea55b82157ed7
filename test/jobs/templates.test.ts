// Templates: the columns and layers of a list, by name and account.
import { expect, test } from 'vitest';
import { templatesMax } from '../../engine/contract/limits/jobs.ts';
import { expectRefusal, shareApiDesk } from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const template = {
  name: 'HubSpot',
  headers: ['Who', 'Mail'],
  mapping: { first_name: 0, email: 1 },
  full_name_column: 0,
  selected_layers: ['L1', 'L2'],
};

test('a template is saved, replaced by name, renamed and deleted', async () => {
  const desk = await openDesk();
  const save = async (json: object) => (await desk.app('POST', 'templates', { json })).data;
  const saved = await save(template);
  expect(saved).toEqual({ ...template, id: saved.id, saved_at: expect.any(String) });
  const again = await save({ ...template, selected_layers: ['L1'] });
  expect((await desk.app('GET', 'templates')).data).toEqual([again]);
  expect(again).toMatchObject({ id: saved.id, selected_layers: ['L1'] });
  const rename = (name: string) => desk.app('PATCH', `templates/${saved.id}`, { json: { name } });
  expect((await rename('CRM')).data.name).toBe('CRM');
  const other = await save(template);
  expectRefusal(await rename('HubSpot'), 'validation_error', /^name: another template is called/);
  expectRefusal(await rename('  '), 'validation_error', /^name: /);
  await desk.app('DELETE', `templates/${saved.id}`);
  expect((await desk.app('GET', 'templates')).data).toEqual([other]);
  expectRefusal(await desk.app('DELETE', `templates/${saved.id}`), 'not_found');
  expectRefusal(await rename('CRM'), 'not_found');
});

test('an account has its own templates, and a limited number of them', async () => {
  const [first, second] = [await openDesk(), await openDesk()];
  for (let number = 0; number < templatesMax; number++)
    await first.app('POST', 'templates', { json: { ...template, name: `T${number}` } });
  expect((await second.app('GET', 'templates')).data).toEqual([]);
  expectRefusal(
    await first.app('POST', 'templates', { json: template }),
    'validation_error',
    /^There are 100 templates/,
  );
});
