// Each comparison of the graded matcher alone: distances, sounds, cells, words, local parts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calibrate, posteriors } from '../../../engine/directory/match/graded/posterior.ts';
import {
  readRowText,
  repairUrl,
} from '../../../engine/directory/match/graded/readings/read-identifiers.ts';
import { cleanCell } from '../../../engine/directory/normalize/messy/clean-cell.ts';
import { readNameParts, surnameKey } from '../../../engine/directory/normalize/messy/name-parts.ts';
import { organisationTokens } from '../../../engine/directory/normalize/messy/organisation-tokens.ts';
import { phoneticKey } from '../../../engine/directory/normalize/messy/phonetic-key.ts';
import {
  createForms,
  farApart,
  formedDistance,
  typingDistance,
} from '../../../engine/directory/normalize/messy/weighted-distance.ts';
import { letterMaskOf } from '../../../engine/directory/normalize/similarity.ts';

test.each([
  ['miller', 'miller', 0],
  ['miller', 'milller', 0.55],
  ['miller', 'mliler', 0.75],
  ['miller', 'mikler', 0.75],
  ['miller', 'mller', 0.85],
  ['miller', 'mizler', 1],
])('%s and %s are %d typing errors apart', (a, b, distance) => {
  expect(typingDistance(a, b, 3)).toBeCloseTo(distance);
});

test.each([
  ['bemard', 'bernard', 'a misread rn'],
  ['schroeder', 'schroder', 'a transliterated umlaut'],
  ['wilson', 'vilson', 'a w written as v'],
])('%s and %s are nearer than their letters: %s', (a, b) => {
  const [one, other] = [a, b].map((text) => ({
    text,
    mask: letterMaskOf(text),
    forms: createForms(),
  }));
  expect(formedDistance(one!, other!, 3)).toBeLessThan(typingDistance(a, b, 3));
});

const word = fc.stringMatching(/^[a-z]{3,12}$/);
/** Words of few letters: many pairs lie within a small distance. */
const nearWord = fc.stringMatching(/^[aeln]{3,9}$/);
/** No two of these words are farther apart. */
const lettersSum = 18;

test('a distance is 0 for one word alone, and the same both ways', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(typingDistance(a, a, 3)).toBe(0);
      expect(typingDistance(a, b, 3)).toBeCloseTo(typingDistance(b, a, 3));
      if (a !== b) expect(typingDistance(a, b, 3)).toBeGreaterThan(0);
    }),
  );
});

test('a smaller maximum never changes a distance within it', () => {
  fc.assert(
    fc.property(nearWord, nearWord, fc.double({ min: 0.5, max: 5, noNaN: true }), (a, b, max) => {
      const whole = typingDistance(a, b, lettersSum);
      expect(typingDistance(a, b, max)).toBe(whole <= max ? whole : farApart);
    }),
  );
});

test.each([
  ['catherine', 'katherine'],
  ['philips', 'filips'],
  ['schmidt', 'shmit'],
])('%s sounds as %s', (a, b) => {
  expect(phoneticKey(a)).toBe(phoneticKey(b));
});

test.each([
  ['GarcÃ­a', 'García'],
  ['Garc&iacute;a', 'García'],
  ['  Ada   King ,', 'Ada King'],
  ['Ada (she/her)', 'Ada'],
  ['“Ada King”', 'Ada King'],
  ['Ａｄａ', 'Ada'],
  ['Ada\nEngineer', 'Ada | Engineer'],
  ['N/A', ''],
  ['unknown', ''],
  ['<a href="https://ola.example/in/ann" class="x">Ann</a>', 'Ann | https://ola.example/in/ann'],
  ['[Ann King](https://ola.example)', 'Ann King | https://ola.example'],
  ['=HYPERLINK("mailto:ann@ola.example";"Ann")', 'Ann | mailto:ann@ola.example'],
  ['<a href="https://ola.example"></a>', 'https://ola.example'],
  ['<span style="color:red">Ann</span>&nbsp;King', 'Ann King'],
])('the cell %j is read as %j', (cell, text) => {
  expect(cleanCell(cell)).toBe(text);
});

test('cleaning a cell twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-zéö .,'-]{0,20}$/), (cell) => {
      expect(cleanCell(cleanCell(cell))).toBe(cleanCell(cell));
    }),
  );
});

test('a name is parsed into words, nicknames and its generation', () => {
  expect(readNameParts('Dr. Robert "Bob" Smith Jr., PhD')).toEqual({
    parts: [['robert', 'smith']],
    nicknames: ['bob'],
    generation: 1,
    isPeer: false,
  });
  expect(surnameKey(['de', 'la', 'cruz-vega'])).toEqual({
    whole: 'delacruzvega',
    core: 'cruzvega',
    parts: ['cruz', 'vega'],
  });
});

test.each([
  ['Univ. of Calif., Berkeley', 'University of California Berkeley'],
  ['Universidad de Texas', 'University of Texas'],
  ['Acme Widgets, Inc.', 'Acme Widgets'],
  ['State of NY', 'State of New York'],
  ['Cleveland St. Univ.', 'Cleveland State University'],
])('%s has the words of %s', (name, other) => {
  expect(organisationTokens(name)).toEqual(organisationTokens(other));
});

test('a state is a word that no other word equals', () => {
  expect(organisationTokens('Ohio Senate')).toEqual(['$oh', organisationTokens('Senate')[0]]);
});

test.each([
  ['https://uk.linkedin.com/in/Ada-King/en', 'linkedin.com/in/ada-king'],
  ['www.linkedin.com/in/ada-king).', 'linkedin.com/in/ada-king'],
  ['hxxps://www.linkedin.com/in/ada-king?trk=x', 'linkedin.com/in/ada-king'],
  ['http://www.example.com/People/Ada.aspx?Id=3', 'example.com/People/Ada.aspx?Id=3'],
])('the page %s is %s', (cell, key) => {
  expect(repairUrl(cell)).toBe(key);
});

const read = (cells: Record<string, string>) => readRowText((cell) => cells[cell] ?? '');

test.each([
  'mailto:ada@example.org',
  'Ada King <ada@example.org>',
  'ada @ example.org;',
  'ada+list@example.org',
  'ada (at) example.org',
  'ada@example.ogr',
  'ada_example.org#EXT#@tenant.onmicrosoft.com',
  'ada@example.org.invalid',
  'ada=example.org@example.com',
  'ada©example.org',
  'ada [a] example.org',
  'ada=40example.org',
])('the email cell %s holds ada@example.org', (email) => {
  expect(read({ email }).emails).toEqual(['ada@example.org']);
});

test.each([
  'Ada on LinkedIn: https://www.linkedin.com/in/ada-king (1st)',
  'https://www.linkedin.com/in/ada-king | 3rd degree',
  'Profile (https://www.linkedin.com/in/ada-king)',
  'https://www.linkedin.com/in/ada- king',
  'https://www. linkedin.com/in/ada-king',
])('the profile cell %s holds ada-king', (url) => {
  expect(read({ profile_url: url }).urls).toEqual(['linkedin.com/in/ada-king']);
});

test('identifiers are read from any cell', () => {
  const text = read({
    first_name: 'Ada King ada@example.org',
    company_name: 'https://www.linkedin.com/in/ada-king',
    last_name: '(202) 555-0143',
  });
  expect(text).toMatchObject({
    first: 'Ada King',
    last: '',
    company: '',
    emails: ['ada@example.org'],
    urls: ['linkedin.com/in/ada-king'],
    phones: ['2025550143'],
  });
});

test('the likelihoods of the candidates and of no one add up to 1', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -30, max: 30, noNaN: true }), { maxLength: 8 }),
      fc.double({ min: -30, max: 30, noNaN: true }),
      (scores, nobody) => {
        const likely = posteriors([...scores, nobody], nobody);
        const sum = likely.reduce((all, one) => all + one, 0) + likely[scores.length]!;
        expect(sum).toBeCloseTo(1);
      },
    ),
  );
});

test('a higher posterior never has a lower confidence', () => {
  const points = [0, 0.2, 0.6, 1].map((at) => [at, at ** 2] as const);
  const model = { weights: new Float64Array(), calibration: points };
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(calibrate(model, low)).toBeLessThanOrEqual(calibrate(model, high) + 1e-12);
    }),
  );
});
