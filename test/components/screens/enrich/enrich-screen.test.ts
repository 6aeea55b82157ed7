// The Enrich screen: refused files, columns, layers, and the price of the started job.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  estimateExample,
  statusExample,
  submittedExample,
} from '../../../../engine/contract/examples.ts';
import type { AppPreview } from '../../../../engine/contract/jobs/app-jobs.ts';
import { InputRepairSchema } from '../../../../engine/contract/jobs/input-repairs.ts';
import { expectAccessible } from '../../accessibility.ts';
import { firstState } from '../../empty-desk.ts';
import { type FakeApi, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import {
  choose,
  credits,
  enrichButton,
  estimate,
  inhabited,
  keepUpload,
  layerBox,
  makeUpload,
  people,
  tried,
} from './enrich-desk.ts';

const readPrice = () => {
  const button = enrichButton.query() as HTMLButtonElement | null;
  return [button?.textContent, button?.disabled];
};

test('the first page offers the sample, the own list and an assistant, before anything else', async () => {
  await openPage('Enrich');
  const headings = page.getByRole('heading', { level: 2 });
  await expect
    .poll(() =>
      headings
        .elements()
        .map(({ textContent }) => textContent)
        .slice(0, 3),
    )
    .toEqual(['Try the sample', 'Enrich my list', 'Connect an assistant']);
  const button = page.getByRole('button', { name: 'Try the sample', exact: true });
  await expect.element(button).toBeEnabled();
  const list = page.getByRole('region', { name: 'Enrich my list' });
  await expect.element(list.getByText('Drop a spreadsheet, or choose one')).toBeVisible();
  await page.getByRole('link', { name: 'Connect an assistant' }).click();
  await expect.poll(() => location.hash).toBe('#/connections/assistants');
});

test.each([
  ['empty.csv', '', 'The file has no rows.'],
  ['broken-quote.csv', 'Name\n"Bob\n', 'Line 3: a quote is never closed.'],
])('a file that cannot be read is refused with its reason: %s', async (name, text, reason) => {
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': () => refuse('bad_rows', reason),
  });
  await choose(name, text);
  await expect.element(page.getByRole('alert').getByText(reason)).toBeVisible();
  await expectAccessible();
  // The remedy is right below the reason.
  api.answer(keepUpload(makeUpload({ file_name: 'good.csv' })));
  await page
    .getByLabelText('Choose another file', { exact: true })
    .upload(new File([people], 'g.csv'));
  await expect.element(page.getByText('good.csv')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Price' })).toBeVisible();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('columns that identify no one must be chosen before a price is shown', async () => {
  const labels = ['Colour', 'Size'];
  const upload = makeUpload({ headers: labels, labels, first_rows: [['red', '1']], mapping: {} });
  const api = await openPage('Enrich', keepUpload(upload));
  await choose('colours.csv', 'Colour,Size\nred,1\n');
  await expect.element(page.getByText(/Otherwise no row can be matched/)).toBeVisible();
  expect(enrichButton.elements()).toEqual([]);
  expect(api.askedOf('POST /app/v1/estimate')).toEqual([]);
  await page.getByRole('combobox', { name: 'Last name', exact: true }).click();
  await page.getByRole('option', { name: 'Colour' }).click();
  await expect.element(enrichButton).toBeEnabled();
  // One price is of the chosen layers, the other of all: what each would find.
  await expect
    .poll(() => api.askedOf('POST /app/v1/estimate').map(({ sent }) => sent.mapping))
    .toEqual([{ last_name: 0 }, { last_name: 0 }]);
});

test('a list of companies begins with the layer about companies, and says what that means', async () => {
  const labels = ['Firma / Company', 'Web'];
  const mapping = { company_name: 0, company_domain: 1 };
  const first_rows = [['Analytical Engines', 'engines.example']];
  const upload = makeUpload({ headers: labels, labels, first_rows, mapping });
  const api = await openPage('Enrich', keepUpload(upload));
  await choose('companies.csv');
  await expect.element(enrichButton).toBeEnabled();
  await expect.element(layerBox('CP')).toBeChecked();
  // Layers about people are shown only if a chosen one needs them.
  expect(layerBox('L1').elements()).toEqual([]);
  await expect
    .element(page.getByText(/It also selects Current job, for 1 credit\.$/))
    .toBeVisible();
  await page.getByRole('button', { name: 'Change columns' }).click();
  await expect.element(page.getByText(/^No column about a person: rows are matched/)).toBeVisible();
  expect(page.getByText(/Otherwise no row can be matched/).elements()).toEqual([]);
  // Fields about people are not in the way of those about companies.
  const person = page.getByRole('combobox', { name: 'Full name' });
  await expect.element(page.getByRole('combobox', { name: 'Company domain' })).toBeVisible();
  expect(person.elements()).toEqual([]);
  await page.getByRole('button', { name: 'More fields' }).click();
  await expect.element(person).toBeVisible();
  const asked = api.askedOf('POST /app/v1/estimate').map(({ sent }) => sent);
  expect(asked).toContainEqual(expect.objectContaining({ mapping, selected_layers: ['CP'] }));
  await page.getByRole('button', { name: 'All layers' }).click();
  await expect.element(page.getByText(/2 credits per enriched row/)).toBeVisible();
  const needed = page.getByRole('checkbox', { name: 'Current job, 1 credit per enriched row' });
  await expect.element(needed).toBeChecked();
  const why = 'It finds nothing for a list of companies, but is needed for Company location.';
  await expect.element(page.getByText(why)).toBeVisible();
  expect(layerBox('L3').elements()).toEqual([]);
});

test('layers of a list of companies are not carried over to a list of people', async () => {
  const companies = makeUpload({ mapping: { company_name: 0 } });
  const uploads = [companies, makeUpload({ mapping: { email: 0 } })];
  await openPage('Enrich', {
    ...keepUpload(companies),
    'POST /app/v1/uploads': () => uploads.shift() ?? companies,
  });
  await choose('companies.csv');
  await expect.element(layerBox('CP')).toBeChecked();
  await layerBox('L2').click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await choose('people.csv');
  await expect.element(layerBox('L1')).toBeChecked();
  await expect.element(layerBox('L2')).not.toBeChecked();
  await expect.element(layerBox('CP')).not.toBeChecked();
});

test('steps without a question fold by themselves, and open by a click', async () => {
  const mapping = { first_name: 0, last_name: 1, company_name: 2, email: 3 };
  const labels = ['First name', 'Surname', 'Company', 'Email'];
  const list = { mapping, labels, headers: labels, row_count: 1 };
  await openPage('Enrich', keepUpload(makeUpload(list)));
  const file = page.getByRole('region', { name: 'File' });
  const columns = page.getByRole('region', { name: 'Columns' });
  await choose('four.csv');
  await expect.element(columns.getByText(/^First name, Last name ← Surname, Comp/)).toBeVisible();
  expect(columns.getByRole('combobox').elements()).toEqual([]);
  const grid = page.getByRole('grid', { name: 'Rows of people' });
  await expect.element(grid.getByRole('gridcell', { name: 'Lovelace' })).toBeVisible();
  // The layers and the price are the choices that are left.
  await expect.element(enrichButton).toBeInViewport({ ratio: 1 });
  await file.getByRole('button', { name: 'Show file' }).click();
  await expect.element(file.getByRole('button', { name: 'Change', exact: true })).toBeVisible();
  await columns.getByRole('button', { name: 'Change columns' }).click();
  const last = columns.getByRole('combobox', { name: 'Last name', exact: true });
  await expect.element(last).toHaveValue('Surname');
  // What a person opened stays open while they change it.
  await columns.getByRole('button', { name: 'Clear Last name' }).click();
  await expect.element(last).toHaveValue('');
  await expect.element(last).toBeVisible();
});

test('the mobile phone layer alone is refused with the layer that it needs', async () => {
  await openPage('Enrich', keepUpload(makeUpload()));
  await choose('three.csv');
  await layerBox('MPA').click();
  await layerBox('L1').click();
  await expect
    .element(page.getByText('Phone numbers cannot be the only layer; add Current job.'))
    .toBeVisible();
  expect(enrichButton.elements()).toEqual([]);
  await layerBox('L1').click();
  await expect.element(enrichButton).toBeEnabled();
});

test('missing credits are shown exactly, and the flow keeps its choices', async () => {
  let available = 100_000;
  const upload = makeUpload({ row_count: 400_000 });
  const wallet = () => ({ ...firstState.wallet, available: credits(available) });
  const api = await openPage('Enrich', {
    ...keepUpload(upload),
    'POST /app/v1/estimate': ({ sent }) => estimate(400_000, sent.selected_layers, available),
    'GET /app/v1/wallet': wallet,
    'POST /app/v1/wallet/grants': ({ sent }) => {
      available += Number(sent.credits);
      return wallet();
    },
  });
  await choose('many.csv');
  await expect.element(page.getByText(/^You’re 300,000 credits short\./)).toBeVisible();
  await expect.element(enrichButton).toBeDisabled();
  await expectAccessible();
  await page.getByRole('link', { name: 'Add credits in the wallet' }).click();
  await page.getByLabelText('Credits to add').fill('300,000');
  await page.getByRole('button', { name: 'Add credits' }).click();
  await expect.element(page.getByText('300,000 credits were added.')).toBeVisible();
  await page.getByRole('link', { name: 'Enrich', exact: true }).click();
  await expect.element(enrichButton).toBeEnabled();
  await expect.poll(() => readPrice()[0]).toBe('Enrich 400,000 rows, at most 400,000 credits');
  expect(api.askedOf('POST /app/v1/wallet/grants').map(({ sent }) => sent)).toEqual([
    { credits: '300000' },
  ]);
});

/** Sends the price responses one at a time, when the test says so. */
function holdEstimates(api: FakeApi): { release: () => void } {
  const released = Promise.withResolvers<void>();
  api.answer({
    'POST /app/v1/estimate': ({ sent }) =>
      released.promise.then(() => estimate(3, sent.selected_layers, 100_000)),
  });
  return { release: released.resolve };
}

test('a layer that was selected a moment ago starts nothing at the previous price', async () => {
  const api = await openPage('Enrich', {
    ...keepUpload(makeUpload()),
    'POST /app/v1/jobs': () => ({ ...submittedExample, total_rows: 3 }),
  });
  await choose('priced.csv');
  await expect.poll(readPrice).toEqual(['Enrich 3 rows, at most 3 credits', false]);
  const { release } = holdEstimates(api);
  // In the same turn as the selection of the layer, before its price is requested.
  (layerBox('L2').element() as HTMLElement).click();
  await expect
    .element(page.getByText('Current job, Company location', { exact: true }))
    .toBeVisible();
  expect(readPrice()).toEqual(['Enrich 3 rows, at most 3 credits', true]);
  await expect.poll(() => api.askedOf('POST /app/v1/estimate').length).toBe(3);
  expect(readPrice()).toEqual(['Enrich 3 rows, at most 3 credits', true]);
  release();
  await expect.poll(readPrice).toEqual(['Enrich 3 rows, at most 4.5 credits', false]);
});

test.each([true, false])(
  'the price names inferred emails as free while they are on: %s',
  async (on) => {
    const account = { ...firstState.account, infer_emails: on };
    await openPage('Enrich', {
      ...keepUpload(makeUpload()),
      'GET /app/v1/state': () => ({ ...inhabited, account }),
    });
    await choose('people.csv');
    await expect.element(enrichButton).toBeEnabled();
    await expect
      .poll(() => page.getByText(/^Inferred emails are on and free/).elements())
      .toHaveLength(on ? 1 : 0);
    if (on) await expectAccessible();
  },
);

test('a refused job shows its reason and keeps the choices', async () => {
  const reason = 'The wallet cannot cover the hold of 3.0000 credits.';
  const api = await openPage('Enrich', {
    ...keepUpload(makeUpload()),
    'POST /app/v1/jobs': () => refuse('insufficient_credits', reason),
  });
  await choose('people.csv');
  await enrichButton.click();
  await expect.element(page.getByRole('alert').getByText(reason)).toBeVisible();
  await enrichButton.click();
  await expect.poll(() => api.askedOf('POST /app/v1/jobs').length).toBe(2);
  const keys = api.askedOf('POST /app/v1/jobs').map(({ sent }) => sent.idempotency_key);
  expect(new Set(keys).size).toBe(1);
});

test('repeated rows are announced as free, and the people of an earlier job can be skipped', async () => {
  const [duplicate, known] = (['duplicate', 'known'] as const).map((kind) => ({
    kind,
    rows: 2,
    credits: '2.0000',
  }));
  const api = await openPage('Enrich', {
    ...keepUpload(makeUpload({ duplicate_rows: 2 })),
    'POST /app/v1/estimate': ({ sent }) => ({
      ...estimate(3, sent.selected_layers, 100_000),
      preview: tried({
        savings: [(sent.new_since === undefined ? duplicate : known) ?? []].flat(),
      }),
    }),
    'GET /app/v1/jobs': () => ({
      count: 1,
      next: null,
      previous: null,
      results: [statusExample],
    }),
    'POST /app/v1/jobs': () => refuse('insufficient_credits', 'The wallet is empty.'),
  });
  await choose('people.csv');
  const reasons = page.getByRole('list', { name: 'Less than the full price of the rows found' });
  await expect
    .element(reasons)
    .toHaveTextContent(
      '2 rows: about the person of an earlier row; answered, and free, 2 credits less',
    );
  // What credits are for is said where they are counted.
  await expect.element(page.getByText(/Here they cost nothing\.$/)).toBeVisible();
  // The choice stands before what it changes, and its menu does not cover its name.
  const since = page.getByRole('combobox', { name: 'Only people who are not in' });
  await expect.element(since).toBeVisible();
  const expected = page.getByText(/^Expected, from a free dry run/).element();
  expect(since.element().compareDocumentPosition(expected)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await since.click();
  const menu = page.getByRole('listbox');
  await expect.element(menu).toBeVisible();
  const isApart = () => {
    const place = menu.element().getBoundingClientRect();
    const label = page.getByText('Only people who are not in').element().getBoundingClientRect();
    return place.top >= label.bottom || place.bottom <= label.top;
  };
  await expect.poll(isApart).toBe(true);
  await page.getByRole('option', { name: /^Spring list, 2 rows/ }).click();
  await expect.element(reasons).toMatchTextContent(/^2 rows: about people of the excluded job/);
  await expectAccessible();
  await enrichButton.click();
  await expect.poll(() => api.askedOf('POST /app/v1/jobs').length).toBe(1);
  expect(api.askedOf('POST /app/v1/jobs')[0]?.sent).toMatchObject({
    new_since: statusExample.job_id,
  });
});

test.each([
  [{ certainty: 'exact' }, /enriched, 1 credit\./, /^2 rows: about people who were paid for/],
  [
    { certainty: 'about', sampled: 1 },
    /enriched, about 1 credit\./,
    /About 2 rows: about .*, 17,900 credits less$/,
  ],
  [{ certainty: 'at_most' }, /enriched, at most 1 credit\./, /compares, so the job may cost/],
  [{ certainty: 'at_most', sampled: 1 }, /about 1 credit or less\./, /in the last 90 days/],
] as const)(
  'an estimate that is %j says how sure its price is, and why it is less',
  async (parts, price, why) => {
    const savings = [{ kind: 'paid_before' as const, rows: 2, credits: '17863.4638' }];
    await openPage('Enrich', {
      ...keepUpload(makeUpload()),
      'POST /app/v1/estimate': ({ sent }) => ({
        ...estimate(3, sent.selected_layers, 100),
        preview: tried({ ...parts, savings, free_repeat_days: 90, decided_rows: 1 }),
      }),
    });
    await choose('people.csv');
    const expected = page.getByText(/^Expected, from a free dry run/);
    await expect.element(expected).toMatchTextContent(price);
    await expect.element(page.getByText(why)).toBeVisible();
    await expect.element(page.getByText(/1 row: answered as you decided/)).toBeVisible();
  },
);

test('the dry run lists by kind the rows that are read differently, closed at first', async () => {
  const upload = makeUpload();
  const repair = {
    field: 'email',
    rule: 'email_link',
    from: 'mailto:a@b.example',
    to: 'a@b.example',
  };
  const preview: AppPreview = {
    ...estimateExample.preview,
    found_layers: {},
    input_repairs: { email_link: 2 },
    repaired_rows: [{ row_index: 2, input_repairs: [InputRepairSchema.parse(repair)] }],
  };
  await openPage('Enrich', {
    ...keepUpload(upload),
    'POST /app/v1/estimate': ({ sent }) => ({
      ...estimate(upload.row_count, sent.selected_layers, 100),
      preview,
    }),
  });
  await choose('people.csv');
  const kinds = page.getByRole('list', { name: 'Repairs by kind' });
  await expect.element(page.getByText(/Some cells are read differently/)).toBeVisible();
  await expect.element(kinds).not.toBeInTheDocument();
  await page.getByText(/Some cells are read differently/).click();
  await expect.element(kinds.getByText(/taken out of a mailto: link\. 2 rows/)).toBeVisible();
  const first = page.getByText('Row 3: Email “mailto:a@b.example” is read as “a@b.example”.');
  await expect.element(first).toBeVisible();
  await expectAccessible();
});

test('an unused column that looks like emails is pointed out, and used by one click', async () => {
  const headers = ['Wer', 'Kontaktpunkt', 'Stadt'];
  const upload = makeUpload({
    headers,
    labels: headers,
    first_rows: [['Ada Lovelace', 'ada@engines.example', 'London']],
    mapping: { first_name: 0 },
    full_name_column: 0,
    suggestions: [{ column: 1, field: 'email' }],
  });
  await openPage('Enrich', keepUpload(upload));
  await choose('people.csv');
  const note = page.getByText(/^The values of “Kontaktpunkt” look like emails/);
  // It is above the fields, which fill a small window.
  await expect.element(note).toBeInViewport({ ratio: 1 });
  const use = page.getByRole('button', { name: 'Use Kontaktpunkt' });
  const [label] = use.element().getElementsByClassName('mantine-Button-label');
  expect(label?.scrollWidth).toBe(label?.clientWidth);
  await use.click();
  const email = page.getByRole('combobox', { name: 'Email', exact: true });
  await expect.element(email).toHaveValue('Kontaktpunkt');
  await expect.element(note).not.toBeInTheDocument();
  expect(document.activeElement?.contains(email.element())).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
});
