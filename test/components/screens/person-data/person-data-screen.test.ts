// The screen about one person: search, candidates, what is held, deletion, receipts.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { jobIdExample, timestampExample } from '../../../../engine/contract/examples.ts';
import type {
  PersonCandidate,
  PersonHoldings,
  PersonReceipt,
} from '../../../../engine/contract/person-data/person-data.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const title = 'Privacy requests';
const ada: PersonCandidate = {
  pick: jobIdExample,
  name: 'Ada Lovelace',
  title: 'Analyst',
  employer: 'Engines',
  environment: 'live',
};
const other: PersonCandidate = { ...ada, pick: 'value', name: '', title: '', employer: '' };
const held: PersonHoldings = {
  person: {
    names: ['ada lovelace'],
    emails: ['ada@engines.example'],
    phones: [],
    profile_urls: [],
    employers: ['engines'],
    ids: [jobIdExample],
  },
  total: 3,
  places: [
    {
      environment: 'live',
      place: 'Results of jobs',
      entries: 3,
      treatment: 'anonymised',
      advice: '',
    },
    {
      environment: 'staging',
      place: 'Suppression list',
      entries: 1,
      treatment: 'kept',
      advice: 'Kept, so that no import brings the person back.',
    },
  ],
};
const receipt: PersonReceipt = {
  receipt_id: jobIdExample,
  state: 'done',
  requested_at: timestampExample,
  completed_at: timestampExample,
  author: 'Local workspace',
  source: 'app',
  suppressed: true,
  total: 3,
  places: held.places,
  subject_hashes: ['a'.repeat(64)],
};
const receipts = (...list: PersonReceipt[]) => ({
  'POST /app/v1/person-data/receipts': () => list,
});
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const find = async (value: string) => {
  await page.getByRole('textbox', { name: /^Email, phone/ }).fill(value);
  await press('Find');
};

test('Directory leads to the screen, which has nothing to show before a search', async () => {
  await openPage('Directory', receipts());
  await page.getByRole('link', { name: title }).click();
  await expect.element(page.getByText('No deletions yet.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Find' })).toBeDisabled();
  await expectAccessibleAndResponsive();
});

test('of several people who fit, one is picked before anything is shown', async () => {
  const api = await openPage(title, {
    ...receipts(),
    'POST /app/v1/person-data/searches': ({ sent }) =>
      (sent as { pick?: string }).pick
        ? { candidates: [ada, other], held }
        : { candidates: [ada, other], held: null },
  });
  await find(' Ada Lovelace ');
  await expect.element(page.getByText('2 people match')).toBeVisible();
  await expect.element(page.getByText('Held: 3 entries')).not.toBeInTheDocument();
  await page.getByRole('radio', { name: 'Ada Lovelace' }).click();
  await expect.element(page.getByText('Held: 3 entries')).toBeVisible();
  await expect.element(page.getByText('ada@engines.example')).toBeVisible();
  await expect.element(page.getByText(/^Kept, so that no import/)).toBeVisible();
  await expectAccessibleAndResponsive();
  expect(api.askedOf('POST /app/v1/person-data/searches').map(({ sent }) => sent)).toEqual([
    { value: 'Ada Lovelace' },
    { value: 'Ada Lovelace', pick: jobIdExample },
  ]);
});

test('a deletion is typed, can suppress the person too, and ends with a receipt', async () => {
  let isBusy = true;
  const api = await openPage(title, {
    ...receipts(receipt),
    'POST /app/v1/person-data/searches': () => ({ candidates: [ada], held }),
    'POST /app/v1/person-data/deletions': () => {
      if (isBusy) return refuse('not_ready', 'Work is running: 1 job.');
      return receipt;
    },
  });
  await find('ada@engines.example');
  await press('Delete this person…');
  await expect.element(page.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Type "delete" to confirm' }).fill('Delete');
  await press('Delete');
  await expect.element(page.getByText('Work is running: 1 job.')).toBeVisible();
  isBusy = false;
  await press('Delete');
  await expect.element(page.getByText('Deleted: 3 entries')).toBeVisible();
  expect(api.askedOf('POST /app/v1/person-data/deletions').at(-1)?.sent).toEqual({
    value: 'ada@engines.example',
    confirmed: true,
    suppress: true,
  });
  const table = page.getByRole('region', { name: 'Deletions' });
  await expect.element(table.getByText(jobIdExample).first()).toBeVisible();
  await expectAccessibleAndResponsive();
});

test('a value that names no person is refused in words', async () => {
  await openPage(title, {
    ...receipts(),
    'POST /app/v1/person-data/searches': () =>
      refuse('validation_error', 'A domain is not a person.'),
  });
  await find('engines.example');
  await expect.element(page.getByText('A domain is not a person.')).toBeVisible();
});
