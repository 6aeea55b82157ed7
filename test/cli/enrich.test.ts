// `desk enrich` from list to CSV: its output, questions and result.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { farCellRefusal, makeFarCell, makeWorkbook } from '../spreadsheet/make-workbook.ts';
import { companies, contacts, people } from './lists.ts';
import { runHere } from './run-desk.ts';
import { servePlace } from './serve-place.ts';

const readCsv = (name: string): Record<string, string>[] =>
  parse(readFileSync(join(place.dir, name)), { columns: true });
let url = '';
const place = servePlace(async (engine) => {
  url = engine.url;
  place.write('contacts.csv', contacts);
  place.write('people.csv', people);
  place.write('companies.csv', companies);
  const order = ['directory', 'import', 'people.csv', '--companies', 'companies.csv'];
  const { stdout } = await place.here(...order);
  expect(stdout).toContain('Import 1 (people.csv and companies.csv) is done, ');
});

test('the CSV has every row and column unchanged, followed by the results', async () => {
  const { code, json, stderr } = await place.here(
    'enrich',
    'contacts.csv',
    '--layers',
    'l1,L3,L2',
    '--out',
    'out.csv',
    '--yes',
    '--json',
    '--title',
    'Spring list',
  );
  expect(stderr).toContain('first_name');
  expect(stderr).toContain(
    'columns not read: "Note". They stay as they are; to read one, use --mapping FILE.',
  );
  expect(stderr).toContain('at most 10 credits');
  expect(json).toEqual({
    job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: 'completed',
    total_rows: 4,
    enriched_rows: 2,
    skipped_rows: 2,
    failed_rows: 0,
    waiting_rows: 0,
    duplicate_rows: 0,
    paid_before_rows: 0,
    known_rows: 0,
    credits_charged: '5.0000',
    out: join(place.dir, 'out.csv'),
    providers: [],
  });
  expect(code).toBe(0);
  const rows = readCsv('out.csv');
  const given = parse(contacts, { columns: true }) as Record<string, string>[];
  expect(rows).toMatchObject(given);
  expect(Object.keys(rows[0] ?? {}).slice(0, 6)).toEqual(Object.keys(given[0] ?? {}));
  expect(rows.map((row) => row['Enrichment status'])).toEqual([
    'enriched',
    'enriched',
    'skipped',
    'skipped',
  ]);
  expect(rows[1]).toMatchObject({
    'Employment status': 'Changed',
    'New company name': 'Compilers United',
    'New title': 'Director of Languages',
  });
  expect(readdirSync(place.dir).filter((name) => name.includes('partial'))).toEqual([]);
});

test('a list of companies is enriched by the layer about companies', async () => {
  place.write(
    'firms.csv',
    'Firma / Company,Note\nAnalytical Engines,fair\nNowhere Ltd,\nAnalytical Engines Inc.,again\n',
  );
  const args = ['--layers', 'L1,CP', '--out', 'firms-out.csv', '--yes', '--json'];
  const { code, json, stderr } = await place.here('enrich', 'firms.csv', ...args);
  expect([code, json.enriched_rows, json.credits_charged]).toEqual([0, 2, '1.5000']);
  expect(stderr).toContain('1 row: about the company of an earlier row; answered, and free');
  expect(stderr).toContain('L1 returns nothing, but is part of the price. For companies, CP alone');
  expect(readCsv('firms-out.csv')).toMatchObject([
    { Note: 'fair', 'Enrichment status': 'enriched', Industry: 'Computing' },
    { 'Firma / Company': 'Nowhere Ltd', 'Enrichment status': 'skipped', Industry: '' },
    { Note: 'again', 'Enrichment status': 'enriched', Industry: 'Computing' },
  ]);
});

test('remarks of one kind share a line, and two layers without an answer are named', async () => {
  const cells = ['Ann Lee / Bo Kim', 'Cy Fox / Di Roe', 'Ed Ash / Flo Birk'];
  place.write('pairs.csv', ['Full name,Company', ...cells.map((one) => `${one},Acme`)].join('\n'));
  place.write('firm.csv', 'Company\nAnalytical Engines\n');
  const args = ['--layers', 'L1,MPA', '--yes'];
  const pairs = await place.here('enrich', 'pairs.csv', '--out', 'pairs-out.csv', ...args);
  expect(pairs.stderr).toMatch(
    /line 2 \(Full name\): "Ann Lee .+ \(2 more like it: lines 3, 4\)\n/,
  );
  const firm = await place.here('enrich', 'firm.csv', '--out', 'firm-out.csv', ...args);
  expect(firm.stderr).toContain('L1, MPA return nothing, but are part of the price');
});

test('repeated people are free, in the list and in a list since an earlier job', async () => {
  place.write('twice.csv', [contacts.trimEnd(), ...contacts.split('\n').slice(1)].join('\n'));
  const args = ['--layers', 'L1', '--yes', '--json'];
  const twice = await place.here('enrich', 'twice.csv', '--out', 'twice-out.csv', ...args);
  expect(twice.stderr).toContain('50% enriched, 2 credits\n');
  expect(twice.stderr).toContain(
    '2 rows: about the person of an earlier row; answered, and free (2 credits less)',
  );
  expect(twice.json).toMatchObject({ duplicate_rows: 2, credits_charged: '2.0000' });
  const rows = readCsv('twice-out.csv');
  expect(rows.map((row) => row['Duplicate of row'])).toEqual(['', '', '', '', '1', '2', '', '']);
  const since = ['--new-since', twice.json.job_id as string];
  const plain = ['--layers', 'L1', '--yes'];
  const out = await place.here('enrich', 'contacts.csv', '--out', 'new.csv', ...plain, ...since);
  expect(out.stderr).toContain(
    '2 rows: about people of the excluded job; skipped, and free (2 credits less)',
  );
  expect(out.stdout).toContain(
    '0 of 4 rows enriched (4 skipped, 0 failed, 2 known from the earlier job), 0 credits',
  );
  expect(readCsv('new.csv')[0]).toMatchObject({
    'Enrichment status': 'skipped',
    'Enrichment reason': 'known_from_earlier_job',
    'Known from': `row 1 of job ${twice.json.job_id}`,
  });
});

test('uploads are deleted when the command ends', () => {
  expect(readdirSync(join(place.dataDir, 'uploads'))).toEqual([]);
});

test('without --yes and a terminal it shows the price and submits nothing', async () => {
  const args = ['enrich', 'contacts.csv', '--layers', 'full', '--out', 'unasked.csv', '--json'];
  const { code, json, stderr } = await place.here(...args);
  expect(stderr).toContain('Price: 4 rows');
  expect(json.detail).toContain('Add --yes');
  expect(code).toBe(2);
  expect(existsSync(join(place.dir, 'unasked.csv'))).toBe(false);
});

test('cells that are read differently are counted by kind with the price', async () => {
  place.write('messy.csv', 'First name,Last name,Email\nAda,King,mailto:ada@acme.example\n');
  const args = ['enrich', 'messy.csv', '--layers', 'L1', '--out', 'messy-out.csv', '--yes'];
  const { code, stderr } = await place.here(...args);
  expect(stderr).toMatch(/read differently[^\n]*\n {4}1 row: The address is taken out of a mailto/);
  expect(code).toBe(0);
  expect(readCsv('messy-out.csv')[0]).toMatchObject({
    Email: 'mailto:ada@acme.example',
    'Input repairs': 'email: "mailto:ada@acme.example" → "ada@acme.example"',
  });
});

test('a person is asked to accept the price and may decline', async () => {
  const asked: string[] = [];
  const answer = (question: string) => asked.push(question) < 0;
  const args = ['enrich', 'contacts.csv', '--layers', 'L1', '--out', 'declined.csv', '--json'];
  const { code, json } = await runHere(place, args, { answer });
  expect(asked).toEqual(['Enrich 4 rows for at most 4 credits?']);
  expect(json).toMatchObject({ error: 'declined' });
  expect(code).toBe(1);
  expect(existsSync(join(place.dir, 'declined.csv'))).toBe(false);
});

test('too few credits of a budget give exit code 3, the missing amount and the remedy', async () => {
  const { json: account } = await place.here('accounts', 'create', 'Poor', '--json');
  const { id } = account;
  await place.here('accounts', 'set', String(id), '--budget', 'on');
  await place.here('wallet', 'grant', '1.25', '--account', String(id));
  const { code, json } = await place.here(
    'enrich',
    'contacts.csv',
    '--layers',
    'L1',
    '--out',
    'poor.csv',
    '--yes',
    '--json',
    '--account',
    String(id),
  );
  expect(json).toMatchObject({ error: 'insufficient_credits' });
  expect(json.detail).toContain('short by 2.75 credits');
  expect(json.detail).toContain('desk wallet grant 2.75 ');
  expect(code).toBe(3);
});

test('a mapping replaces the recognition, and a mapping of an unknown column is bad usage', async () => {
  place.write('odd.csv', 'Vor,Nach,Wo\nAda,Byron,Analytical Engines\n');
  place.write('odd.json', '{"first_name":"Vor","last_name":"Nach","company_name":"Wo"}');
  place.write('bad.json', '{"email":"Mail"}');
  const args = ['enrich', 'odd.csv', '--layers', 'L1', '--out', 'odd-out.csv', '--yes', '--json'];
  const good = await place.here(...args, '--mapping', 'odd.json');
  expect(good.json).toMatchObject({ enriched_rows: 1 });
  const bad = await place.here(...args, '--mapping', 'bad.json');
  expect(bad.json.detail).toContain('no column "Mail"');
  expect(bad.code).toBe(2);
});

test('an existing output stays if the input cannot be read, and is replaced otherwise', async () => {
  place.write('old.csv', 'old');
  place.write('open.csv', 'Email\n"never closed\n');
  const args = ['--layers', 'L1', '--out', 'old.csv', '--yes', '--json'];
  const bad = await place.here('enrich', 'open.csv', ...args);
  expect(bad.json).toMatchObject({ error: 'validation_error' });
  expect(bad.code).toBe(1);
  expect(readFileSync(join(place.dir, 'old.csv'), 'utf8')).toBe('old');
  const good = await place.here('enrich', 'contacts.csv', ...args);
  expect(good.code).toBe(0);
  expect(readCsv('old.csv')).toHaveLength(4);
});

test.each([
  ['enrich', ['far.xlsx', '--layers', 'L1', '--out', 'far.csv', '--yes']],
  ['directory import', ['far.xlsx']],
])('%s reports the fault of a workbook and keeps nothing of it', async (command, args) => {
  writeFileSync(join(place.dir, 'far.xlsx'), makeFarCell());
  const { code, json } = await place.here(...command.split(' '), ...args, '--json');
  expect([code, json.error, json.detail]).toEqual([1, 'validation_error', farCellRefusal]);
  expect(readdirSync(join(place.dataDir, 'uploads'))).toEqual([]);
  expect(readdirSync(place.dataDir).filter((name) => name.startsWith('import-'))).toEqual([]);
});

test('--resume writes the CSV of an existing job', async () => {
  const args = [
    'enrich',
    'contacts.csv',
    '--layers',
    'L1',
    '--out',
    'first.csv',
    '--yes',
    '--json',
  ];
  const first = await place.here(...args);
  const jobId = String(first.json.job_id);
  const again = await place.here('enrich', '--resume', jobId, '--out', 'second.csv', '--json');
  expect(again.json).toEqual({ ...first.json, out: join(place.dir, 'second.csv') });
  expect(readCsv('second.csv')).toEqual(readCsv('first.csv'));
  // The choice reaches the engine, which refuses it for a job that has ended.
  const resume = ['enrich', '--resume', jobId, '--out', 'late.csv', '--json'];
  const late = await place.here(...resume, '--when-offline', 'leave-out');
  expect(late.json).toMatchObject({ error: 'already_finished' });
  const unknown = '00000000-0000-4000-8000-000000000000';
  const none = await place.here('enrich', '--resume', unknown, '--out', 'none.csv', '--json');
  expect(none.json).toMatchObject({ error: 'not_found' });
  expect(none.code).toBe(1);
});

test('a preset counts what becomes no record, and says how to decide about rows that wait', async () => {
  place.write(
    'twins.csv',
    'First name,Last name,Company name,Title,Email\n' +
      'Sam,Twin,Umbra,Clerk,sam@umbra.example\nSam,Twin,Umbra,Chief Engineer,st@umbra.example\n',
  );
  await place.here('directory', 'import', 'twins.csv');
  place.write(
    'fair.csv',
    'First name,Last name,Company,Ticket\nSam,Twin,Umbra,VIP\nNew,Person,,Press\n,,,Staff\n',
  );
  const order = ['enrich', 'fair.csv', '--layers', 'L1', '--yes', '--out', 'fair-out.csv'];
  const { stderr, stdout } = await place.here(...order, '--preset', 'hubspot', '--list-columns');
  const [jobLine = ''] = stdout.split('\n');
  const jobId = jobLine.replace('Job ', '');
  expect(stderr).toContain(
    '3 rows: 1 new record, 1 row waits for a review, 1 row says too little for a record.\n' +
      '  Neither this list nor an imported one has ids of HubSpot contacts. To update records ' +
      'instead of adding them, import your CRM export with its ids, or name its list with ' +
      '--id-list, and write again.\n' +
      `  to decide about the rows that wait: desk review ${jobId} --out review.csv`,
  );
  const file = `--out ${join(place.dir, 'fair-out.csv')} --preset hubspot --list-columns`;
  expect(stderr).toContain(`then write the file again: desk enrich --resume ${jobId} ${file}`);
  const resume = [
    'enrich',
    '--resume',
    jobId,
    '--preset',
    'hubspot',
    '--new-people',
    'fair-new.csv',
  ];
  const parted = await place.here(...resume, '--out', 'again.csv');
  expect(parted.stderr).toContain(` --new-people ${join(place.dir, 'fair-new.csv')}`);
  expect(readCsv('fair-out.csv')).toMatchObject([{ 'Last Name': 'Person', Ticket: 'Press' }]);
  expect(jobId).toMatch(/^[0-9a-f-]{36}$/);
  // Its file can be written again without a second job.
  const again = await place.here(...order, '--json');
  expect(again.stderr).toContain(`Job ${jobId} enriched the same rows with the same layers on`);
  expect(again.stderr).toContain(`desk enrich --resume ${jobId} --out`);
  expect(again.json.job_id).not.toBe(jobId);
});

test('a paid job whose result was never saved is written by the same command, and not paid again', async () => {
  const list = 'First name,Last name,Company\nUn,Saved,Umbra\nSam,Twin,Umbra\n';
  const path = place.write('unsaved.csv', list);
  const { last: key } = await place.here('keys', 'create', '--label', 'unsaved');
  const form = new FormData();
  form.append('file', new Blob([readFileSync(path)]), 'unsaved.csv');
  form.append('selected_layers', 'L1');
  const submitted = await fetch(`${url}/api/v1/data-enrichment/submit/`, {
    method: 'POST',
    headers: { authorization: `Token ${key}` },
    body: form,
  });
  const { data } = (await submitted.json()) as { data: { job_id: string } };
  await expect
    .poll(async () => (await place.here('jobs', 'list', '--json')).json)
    .toMatchObject({
      jobs: expect.arrayContaining([
        expect.objectContaining({ job_id: data.job_id, status: 'completed' }),
      ]),
    });
  const order = ['enrich', 'unsaved.csv', '--layers', 'L1', '--yes', '--json'];
  const first = await place.here(...order, '--out', 'saved.csv');
  expect(first.stderr).toContain(`Job ${data.job_id} of the same rows and layers is paid for and`);
  expect(first.json).toMatchObject({ job_id: data.job_id, total_rows: 2 });
  expect(readCsv('saved.csv')).toHaveLength(2);
  // Its file is saved now, so the next command is a new order.
  const second = await place.here(...order, '--out', 'saved.csv');
  expect(second.json.job_id).not.toBe(data.job_id);
});

test('without --json the last line states the outcome and the path of the CSV', async () => {
  const args = ['enrich', 'contacts.csv', '--layers', 'L1', '--out', 'plain.csv', '--yes'];
  const { last } = await place.here(...args);
  expect(last).toBe(
    '2 of 4 rows enriched (2 skipped, 0 failed), 2 credits charged: ' +
      join(place.dir, 'plain.csv'),
  );
});

test('a workbook says which sheet is read, and --sheet reads another', async () => {
  const sheet = (email: string) => [['Email'], [email]];
  const path = join(place.dir, 'book.xlsx');
  writeFileSync(path, makeWorkbook([sheet('ada@analytical.example'), sheet('b@b.example')]));
  const enrich = (...more: string[]) =>
    place.here('enrich', 'book.xlsx', '--layers', 'L1', '--out', 'book.csv', '--yes', ...more);
  const first = await enrich();
  expect(first.stderr).toContain('sheet "Sheet1" is read; choose "Sheet2" with --sheet');
  expect((await enrich('--sheet', 'Sheet2')).code).toBe(0);
  expect(readCsv('book.csv').map(({ Email }) => Email)).toEqual(['b@b.example']);
});

test('a list without column names keeps its first row, and bad lines are named or left out', async () => {
  place.write('bare.csv', 'ada@analytical.example,Ada\nb@b.example,Bo\nc@c.example,Cy,x\n');
  const enrich = (...more: string[]) =>
    place.here('enrich', 'bare.csv', '--layers', 'L1', '--out', 'bare-out.csv', '--yes', ...more);
  const refused = await enrich();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('line 3, 3 cells: c@c.example, Cy, x');
  expect(refused.stderr).toContain('--skip-bad-lines');
  const { stderr, code } = await enrich('--skip-bad-lines', '--no-header');
  expect(stderr).toContain('the columns are called Column 1, Column 2');
  expect(stderr).toContain('1 line with extra cells left out');
  expect(code).toBe(0);
  expect(readCsv('bare-out.csv').map((row) => row['Column 1'])).toEqual([
    'ada@analytical.example',
    'b@b.example',
  ]);
});

test('a list comes back for the CRM, with the ids and kept columns of the export that was imported', async () => {
  place.write(
    'crm.csv',
    'Record ID,First name,Last name,Email,Company name,Owner,Note\n' +
      '501,Rae,Quist,rae.quist@hooli.example,Hooli,"Fox, Zoe",x\n',
  );
  const imported = await place.here('directory', 'import', 'crm.csv');
  expect(imported.stdout).toContain('crm.csv: columns kept as they are: Owner');
  place.write(
    'event.csv',
    'First name,Last name,Company,Email\nRae,Quist,Hooli,rae.quist@hooli.example\n' +
      'New,Person,Initech,new@initech.example\n',
  );
  const order = ['enrich', 'event.csv', '--layers', 'L1', '--yes', '--out', 'known.csv', '--json'];
  // What the file cannot be is said before the price, in words of the line.
  for (const [option, words] of [
    ['--id-list', '--id-list: no list "x" with ids was imported. Lists with ids: "crm.csv"'],
    ['--record-id', '--record-id: the list has no column "x". Its columns: "First name", '],
  ] as const) {
    const refused = await place.here(...order, '--preset', 'hubspot', option, 'x');
    expect(refused.json.detail).toContain(words);
    expect(refused.stderr).not.toContain('Price');
  }
  place.write('firms.csv', 'Company,Website\nHooli,hooli.example\n');
  const firms = ['enrich', 'firms.csv', '--layers', 'CP', '--yes', '--out', 'f.csv', '--json'];
  const other = await place.here(...firms, '--preset', 'hubspot');
  expect(other.json.detail).toContain('hubspot-companies (HubSpot companies)');
  const crm = ['--preset', 'hubspot', '--new-people'];
  const { json, code } = await place.here(...order, ...crm, 'new.csv');
  expect(code).toBe(0);
  const records = { updated: 1, added: 1, repeated: 0, waiting: 0, several: 0, unnamed: 0 };
  expect(json).toMatchObject({ rows_written: 1, new_people_rows: 1, records });
  expect(readCsv('known.csv')).toMatchObject([{ 'Record ID': '501', Owner: 'Fox, Zoe' }]);
  expect(readCsv('new.csv')).toMatchObject([
    { 'Last Name': 'Person', Email: 'new@initech.example' },
  ]);
  expect(Object.keys(readCsv('new.csv')[0] ?? {})).not.toContain('Record ID');
  place.write('rules.json', JSON.stringify({ columns: { x: { rule: 'never' } } }));
  // A job that is waited for is refused before the wait, not when its file is written.
  for (const [options, words] of [
    [['--preset', 'hubspot', '--id-list', 'x'], '--id-list: no list "x" with ids was imported.'],
    [['--preset', 'hubspot', '--record-id', 'x'], '--record-id: the list has no column "x".'],
    [['--overwrite', 'rules.json'], 'the sheet has no column "x".'],
  ] as const) {
    const given = ['--resume', String(json.job_id), '--out', 'known.csv', ...options, '--json'];
    const refused = await place.here('enrich', ...given);
    expect(refused.code).toBe(1);
    expect(refused.json.detail).toContain(words);
    expect(refused.stderr).not.toContain('its file is not written');
  }
  const alone = await place.here(...order, ...crm, 'leave-out');
  expect(alone.json).not.toHaveProperty('new_people');
  expect(alone.stderr).toContain('2 rows: 1 record to update, 1 new record in no file.');
  expect(alone.stderr).not.toContain('has ids of');
  const plain = await place.here(...order, '--own-lists', '--sources');
  expect(plain.code).toBe(0);
  expect(readCsv('known.csv')[0]).toMatchObject({
    'Id in crm.csv': '501',
    Owner: 'Fox, Zoe',
    'Email source': 'crm.csv',
  });
});

test('a list is watched: a monitor is made, run, and says who changed jobs', async () => {
  const watch = (...args: string[]) => place.here('monitors', ...args, '--json');
  place.write(
    'watched.csv',
    'First name,Last name,Company\nGrace,Murray,Analytical Engines\nNo,Body,Nowhere\n',
  );
  const made = await watch('create', 'watched.csv', '--title', 'Customers', '--every', 'daily');
  const id = String(made.json.id);
  expect(made.json).toMatchObject({ total_records: 2, schedule: { rhythm: 'daily' } });
  expect((await watch('findings', id)).json).toMatchObject({ error: 'not_ready' });
  expect((await watch('run', id)).json).toMatchObject({ error: 'bad_usage' });
  const run = await watch('run', id, '--yes');
  expect(run.json).toMatchObject({ status: 'Completed', counts: { changed: 1, no_match: 1 } });
  const job = String(run.json.job_id);
  expect((await watch('runs', id)).json).toMatchObject({ count: 1, results: [{ job_id: +job }] });
  expect((await watch('stop', job)).json.error).toBe('already_finished');
  expect((await watch('pay', job, '--yes')).json).toMatchObject({ credit_charge_failed: false });
  expect((await watch('pause', id)).json).toMatchObject({ paused: true, next_run_at: null });
  expect((await watch('resume', id)).json).toMatchObject({ paused: false });
  const moved = await watch('set', id, '--every', 'monthly', '--day', '31', '--title', 'All');
  const schedule = { rhythm: 'monthly', month_day: 31, time: '09:00' };
  expect(moved.json).toMatchObject({ title: 'All', schedule });
  const { json, stdout } = await watch('findings', id);
  expect(json).toMatchObject({ count: 1, results: [{ last_name: 'Murray', status: 'changed' }] });
  expect(stdout).toContain('"old_value":"Analytical Engines","new_value":"Compilers United"');
  const all = await watch('findings', id, '--status', 'all', '--out', 'changes.csv');
  expect(all.json).toMatchObject({ rows: 2 });
  expect(readCsv('changes.csv')).toHaveLength(2);
  expect((await watch('remove', id)).json).toEqual({ id });
  expect((await watch('run', id)).json.detail).toContain('List the ids with "desk monitors list"');
});

test.each([
  [['--record-id', 'Id'], /--record-id belongs to --preset/],
  [['--new-people', 'x.csv'], /--new-people belongs to --preset/],
  [['--list-columns'], /--list-columns belongs to --preset/],
  [['--preset', 'hubspot', '--new-people', 'contacts.csv'], /input itself/],
])('%j is refused', async (options, words) => {
  const order = ['enrich', 'contacts.csv', '--layers', 'L1', '--out', 'out.csv', '--yes'];
  const { code, stderr } = await place.here(...order, ...options);
  expect(code).toBe(2);
  expect(stderr).toMatch(words);
});
