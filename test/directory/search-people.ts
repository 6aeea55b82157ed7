// A few people to find, each identified by one letter, and their companies.
import type { Row } from './list-folder.ts';

const uuidOf = (letter: string) => `00000000-0000-4000-8000-00000000000${letter}`;

export const lettersOf = (results: readonly { uuid: string }[]): string =>
  results.map(({ uuid }) => uuid.at(-1)).join('');

type Person = Row & { readonly id: string };
const person = (letter: string, values: Row): Person => ({ id: uuidOf(letter), ...values });

/** Seven people by their jobs; the list has one row per job. */
export const searchPeople: readonly Person[] = [
  person('a', {
    'First name': 'Ann',
    'Last name': 'Lee',
    Title: 'Director of Sales',
    Level: 'Director',
    Company: 'Acme GmbH',
    Country: 'Germany',
    Email: 'ann@acme.example',
    Current: 'yes',
    Mobile: '+49 171 0000001',
  }),
  person('b', {
    'First name': 'Bob',
    'Last name': 'May',
    Title: 'VP, Sales & Marketing',
    Level: 'VP',
    Company: 'Acme GmbH',
    Country: 'AT',
    Email: 'bob@acme.example',
    Current: 'yes',
    'Email status': 'invalid',
    Mobile: '+49 30 999',
  }),
  // Works at Globex now; Acme was before.
  person('c', {
    'First name': 'Cléo',
    'Last name': 'Noël',
    Title: 'Director',
    Level: 'Director',
    Company: 'Acme GmbH',
    Country: 'France',
    Current: 'no',
  }),
  person('c', {
    'First name': 'Cléo',
    'Last name': 'Noël',
    Title: 'Ingénieure Données',
    Level: 'Senior',
    Company: 'Globex Crédit',
    Current: 'yes',
    Country: 'France',
  }),
  // Two jobs at once: the primary one counts.
  person('d', {
    'First name': 'Dan',
    'Last name': 'Oak',
    Title: 'Board Member',
    Level: 'Director',
    Company: 'Acme GmbH',
    Current: 'yes',
    Primary: 'no',
  }),
  person('d', {
    'First name': 'Dan',
    'Last name': 'Oak',
    Title: 'Salesforce Developer',
    Level: 'Staff',
    Company: 'Initech',
    Current: 'yes',
    Primary: 'yes',
  }),
  // Left, with the next job unknown: the last one counts, and its email is withheld.
  person('e', {
    'First name': 'Eve',
    'Last name': 'Poe',
    Title: 'Head of R&D',
    Level: 'Director',
    Company: 'Initech',
    Email: 'eve@initech.example',
    Current: 'no',
    Country: 'uk',
  }),
  person('f', { 'First name': 'Fay', 'Last name': 'Qi', Country: 'Narnia' }),
  // Suppressed: never found.
  person('0', {
    'First name': 'Zoe',
    'Last name': 'Ray',
    Title: 'Director of Sales',
    Level: 'Astronaut',
    Company: 'Hidden Ltd',
    Country: 'Iceland',
    Current: 'yes',
    Suppressed: 'yes',
  }),
];

export const searchCompanies: readonly Row[] = [
  {
    id: uuidOf('1'),
    Name: 'Acme GmbH',
    Industry: 'Software',
    Country: 'Germany',
    Employees: '1200',
    Revenue: '$80M',
    Website: 'https://acme.example',
    Phone: '+49 30 999',
  },
  {
    id: uuidOf('2'),
    Name: 'Globex Crédit',
    Industry: 'Financial Services',
    Country: 'US',
    Employees: '30',
    Revenue: '$2B',
  },
  { id: uuidOf('3'), Name: 'Initech', Industry: 'software', Country: 'United States' },
  {
    id: uuidOf('4'),
    Name: 'Umbrella – Acme Partners',
    Industry: 'Pharma',
    Country: 'CH',
    Domain: 'umbrella.example',
  },
  { id: uuidOf('5'), Name: 'Hidden Ltd' },
];
