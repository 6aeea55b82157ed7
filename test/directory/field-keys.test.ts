// When two values of a field are the same, for every part of the product that compares.
import { expect, test } from 'vitest';
import type { DisplayName } from '../../engine/contract/jobs/layers.ts';
import type { ComparedField } from '../../engine/directory/normalize/field-keys.ts';
import { areSame } from '../../engine/jobs/overwrite/overwrite-rows.ts';
import { compareContact as compareReviewed } from '../../engine/jobs/review/compare-contact.ts';
import { compareContact, readAnswer } from '../../engine/monitors/compare-contact.ts';
import { rowSubject } from '../../engine/providers/waterfall/row-subject.ts';
import { readValueKey } from '../../engine/suppression/value-keys.ts';

const pairs: readonly [field: ComparedField, one: string, other: string, isSame: boolean][] = [
  ['phone', '+1 603 271 3661', '+1 (603) 271-3661 ext. 12', true],
  ['phone', '+1 603 271 3661 x7', '+16032713661 x12', true],
  ['phone', '+1 603 271 3661', '+1 603 271 3662', false],
  ['email', 'ada@acme.example', '"ada"@ACME\u200b.example.', true],
  ['email', 'ada@acme.example', 'ada@mail.acme.example', false],
  ['profile_url', 'https://www.linkedin.com/in/ada/', 'de.linkedin.com/in/Ada?trk=x', true],
  ['profile_url', 'https://www.linkedin.com/in/ada', 'https://www.linkedin.com/in/adam', false],
  ['title', 'Sr. VP, Sales', 'Senior Vice President of Sales', true],
  ['title', 'C.E.O.', 'Chief Executive Officer', true],
  ['title', 'Co-Founder & CTO', 'CTO and Cofounder', true],
  ['title', 'Leiter/in Einkauf (m/w/d)', 'Leiterin Einkauf', true],
  ['title', 'Directeur d’exploitation', 'DIRECTEUR EXPLOITATION', true],
  ['title', 'Chef de Café', 'chef de cafe', true],
  ['title', 'Assistant to the Director', 'Assistant Director', false],
  ['title', 'E-Commerce Manager', 'Commerce Manager', false],
  ['title', 'VP Sales', 'SVP Sales', false],
];

type Decide = (one: string, other: string) => boolean;
type Decisions = Readonly<Partial<Record<ComparedField, Decide>>>;

const suppression =
  (field: 'email' | 'phone' | 'profile_url'): Decide =>
  (one, other) =>
    readValueKey(field, one) === readValueKey(field, other);

const overwrite =
  (name: DisplayName): Decide =>
  (one, other) =>
    areSame(name, one, other, '');

const lists = { titles: [], companies: [], domains: [], emails: [], urls: [], phones: [] };
const nobody = { id: 1, firstName: '', lastName: '', country: '', ...lists };

function review(
  field: 'email' | 'phone' | 'profile_url' | 'title',
  list: 'emails' | 'phones' | 'urls' | 'titles',
): Decide {
  return (one, other) =>
    compareReviewed({ [field]: one }, { ...nobody, [list]: [other] }, null, { showsPaid: false })[0]
      ?.verdict === 'same';
}

function monitors(field: 'email' | 'title', name: DisplayName): Decide {
  const unknown = { company_name: '', title: '', email: '' };
  return (one, other) =>
    compareContact(
      { by: 'row', values: { ...unknown, [field]: one }, listHeld: () => [] },
      readAnswer({ [name]: other }),
    ).status === 'unchanged';
}

const storedAnswers =
  (field: 'email' | 'profile_url'): Decide =>
  (one, other) =>
    rowSubject({ [field]: one }) === rowSubject({ [field]: other });

/** How each part of the product answers whether two values are the same. */
const owners: Readonly<Record<string, Decisions>> = {
  suppression: {
    email: suppression('email'),
    phone: suppression('phone'),
    profile_url: suppression('profile_url'),
  },
  overwrite: {
    email: overwrite('Email'),
    phone: overwrite('Direct phone'),
    profile_url: overwrite('Profile URL'),
  },
  review: {
    email: review('email', 'emails'),
    phone: review('phone', 'phones'),
    profile_url: review('profile_url', 'urls'),
    title: review('title', 'titles'),
  },
  monitors: {
    email: monitors('email', 'Email'),
    title: monitors('title', 'Current title'),
  },
  'stored answers': { email: storedAnswers('email'), profile_url: storedAnswers('profile_url') },
};

test.each([
  ['email', 'ada7@gmail.com', ['ada@acme.com', 'ada7@gmail.com'], 'same', 'ada7@gmail.com'],
  ['email', 'ada7@gmail.com', ['ada@acme.com', 'ada@gmail.com'], 'different', 'ada@gmail.com'],
  ['email', 'ada7@gmail.com', ['ada@acme.com'], 'other_kind', 'ada@acme.com'],
  ['email', 'ada@acme.com', ['ada7@gmail.com'], 'other_kind', 'ada7@gmail.com'],
  ['email', 'bob@acme.com', ['ada@mail.acme.com'], 'different', 'ada@mail.acme.com'],
  ['email', 'info@acme.com', ['ada@acme.com'], 'other_kind', 'ada@acme.com'],
  [
    'profile_url',
    'xing.com/profile/ada',
    ['linkedin.com/in/ada'],
    'other_kind',
    'linkedin.com/in/ada',
  ],
  [
    'profile_url',
    'linkedin.com/in/bob',
    ['x.com/ada', 'linkedin.com/in/ada'],
    'different',
    'linkedin.com/in/ada',
  ],
] as const)('in a review the %s %s is to %j: %s', (field, given, values, verdict, known) => {
  const person = { ...nobody, emails: values, urls: values };
  expect(compareReviewed({ [field]: given }, person, null, { showsPaid: true })).toContainEqual({
    field,
    given,
    known,
    verdict,
  });
});

test.each(pairs)('the %s in %j and in %j: same is %s everywhere', (field, one, other, isSame) => {
  const answers = Object.entries(owners).flatMap(([owner, { [field]: decide }]) =>
    decide ? [[owner, decide(one, other)]] : [],
  );
  expect(answers).toEqual(answers.map(([owner]) => [owner, isSame]));
});
