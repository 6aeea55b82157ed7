// Inferred emails of a directory: who gets one, at which domain, and who never does.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmailInference } from '../../../engine/directory/email-patterns/infer-emails.ts';
import { type Company, makeDirectory, type Person } from '../small-directory.ts';

const acme = 'Acme';
const at = (email?: string, left = false, where = acme) => ({
  jobs: [{ at: where, left, ...(email === undefined ? {} : { email }) }],
});
/** Three colleagues with addresses of one form. */
const colleagues: Person[] = [
  { first: 'Xaver', last: 'Byron', ...at('xaver.byron@acme.com') },
  { first: 'Yvo', last: 'King', ...at('yvo.king@acme.com') },
  { first: 'Zelda', last: 'Mond', ...at('zelda.mond@acme.com') },
];
const quill: Person = { first: 'Quill', last: 'Ursel', ...at() };

/** The inference for the last person of a list. */
const inferLast = (people: readonly Person[], companies: readonly Company[] = []) =>
  createEmailInference(makeDirectory(people, companies), 'main').infer(people.length);

test('a person without an address gets that of the colleagues’ form, with its witnesses', async () => {
  expect(await inferLast([...colleagues, quill])).toEqual({
    email: 'quill.ursel@acme.com',
    probability: 0.875,
    form: '{first}.{last}',
    witnesses: 3,
    of: 3,
  });
});

test.each<[string, Person]>([
  ['has an address', { ...quill, ...at('q@acme.com') }],
  ['is suppressed', { ...quill, suppressed: true }],
  ['left', { ...quill, ...at(undefined, true) }],
  ['works elsewhere', { ...quill, ...at(undefined, false, 'Other') }],
  ['has a name of another script', { ...quill, first: 'Лев' }],
  ['has no employment', { first: 'Quill', last: 'Ursel' }],
])('nothing is inferred for a person who %s', async (_what, person) => {
  expect(await inferLast([...colleagues, person])).toBeNull();
});

test.each<[string, Person[]]>([
  ['fewer than three addresses', colleagues.slice(1)],
  ['addresses of free mail', colleagues.map((one) => ({ ...one, ...at('a.b@gmail.com') }))],
  ['mailboxes of roles', colleagues.map((one) => ({ ...one, ...at('info@acme.com') }))],
  ['suppressed witnesses', colleagues.map((one) => ({ ...one, suppressed: true }))],
  [
    'a domain of former people alone',
    colleagues.map((one) => ({ ...one, ...at(one.jobs?.[0]?.email, true) })),
  ],
])('nothing is inferred from %s', async (_what, others) => {
  expect(await inferLast([...others, quill])).toBeNull();
});

test('people who left are witnesses at a domain that others still use', async () => {
  const [first, ...rest] = colleagues;
  const left = rest.map((one) => ({ ...one, ...at(one.jobs?.[0]?.email, true) }));
  expect(await inferLast([first!, ...left, quill])).toMatchObject({ witnesses: 3 });
});

test.each<[string, Person]>([
  ['a colleague', { first: 'Q', last: 'U', ...at('quill.ursel@acme.com') }],
  [
    'a suppressed person',
    { first: 'Q', last: 'U', suppressed: true, ...at('quill.ursel@acme.com') },
  ],
  ['a person elsewhere', { first: 'Q', last: 'U', ...at('quill.ursel@acme.com', true, 'Other') }],
])('an address that %s has is not proposed, in any case of letters', async (_who, other) => {
  expect(await inferLast([...colleagues, other, quill])).toBeNull();
  const upper = {
    ...other,
    jobs: other.jobs!.map((job) => ({ ...job, email: job.email!.toUpperCase() })),
  };
  expect(await inferLast([...colleagues, upper, quill])).toBeNull();
});

test('two people who would share an address get none, also if one of them left', async () => {
  expect(await inferLast([...colleagues, quill, quill])).toBeNull();
  expect(await inferLast([...colleagues, { ...quill, ...at(undefined, true) }, quill])).toBeNull();
});

test('companies with the same website domain are one organisation', async () => {
  const companies = [
    { name: acme, domain: 'acme.com' },
    { name: 'Acme France', domain: 'acme.com' },
  ];
  const abroad = { ...quill, ...at(undefined, false, 'Acme France') };
  expect(await inferLast([...colleagues, abroad], companies)).toMatchObject({
    email: 'quill.ursel@acme.com',
  });
  const namesake = { ...quill, ...at(undefined, false, acme) };
  expect(await inferLast([...colleagues, namesake, abroad], companies)).toBeNull();
});

test('of two domains the more frequent is used, with its share', async () => {
  const others = ['Otto', 'Vilma', 'Wanda'].map(
    (first): Person => ({ first, last: 'Feld', ...at(`${first}@old.com`.toLowerCase()) }),
  );
  const more: Person = { first: 'Ottilie', last: 'Rand', ...at('ottilie.rand@acme.com') };
  expect(await inferLast([...colleagues, more, ...others, quill])).toMatchObject({
    email: 'quill.ursel@acme.com',
    probability: 0.514,
  });
});

test('an inference follows an import', async () => {
  const db = makeDirectory([...colleagues, quill]);
  const inference = createEmailInference(db, 'main');
  expect(await inference.infer(4)).not.toBeNull();
  db.prepare('UPDATE employment SET email = NULL WHERE id < 4').run();
  db.prepare('UPDATE generation SET number = number + 1').run();
  expect(await inference.infer(4)).toBeNull();
});

test('an inferred address is no known person’s, and no two people of a company share one', async () => {
  const name = fc.constantFrom(
    'Ada',
    'Al',
    'Bo',
    'Jean-Luc',
    'Müller',
    'Bob',
    'Robert',
    'de Vries',
  );
  const local = fc.constantFrom('ada.bo', 'al.bo', 'abo', 'bob', 'bo', 'robert.al', 'jean.al');
  const job = fc.record({
    at: fc.constantFrom(acme, 'Acme France', 'Other'),
    email: fc.oneof(
      { weight: 1, arbitrary: local.map((one) => `${one}@acme.com`) },
      { weight: 2, arbitrary: fc.constant('form') },
      { weight: 2, arbitrary: fc.constant('') },
    ),
    left: fc.boolean(),
  });
  const person = fc.record({
    first: name,
    last: name,
    job,
    suppressed: fc.integer({ max: 4, min: 0 }),
  });
  const companies = [acme, 'Acme France'].map((one) => ({ name: one, domain: 'acme.com' }));
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(person, { maxLength: 9, minLength: 1 }), async (drawn) => {
      const others = drawn.map(({ job: { email, ...rest }, suppressed, first, last }): Person => {
        const plain = `${first}.${last}@acme.com`.toLowerCase().replace(/[ü ]/g, '');
        const given = email === 'form' ? plain : email;
        const jobs = [{ ...rest, ...(given === '' ? {} : { email: given }) }];
        return { first, last, jobs, suppressed: suppressed === 0 };
      });
      const people = [...colleagues, ...others];
      const inference = createEmailInference(makeDirectory(people, companies), 'main');
      const known = people.flatMap(({ jobs }) => jobs?.map((one) => one.email) ?? []);
      const inferred: string[] = [];
      for (const [index, one] of people.entries()) {
        const found = await inference.infer(index + 1);
        if (!found) continue;
        expect(one.suppressed).toBe(false);
        expect(one.jobs?.[0]).toMatchObject({ left: false });
        expect(one.jobs?.[0]?.email).toBeUndefined();
        expect(known).not.toContain(found.email);
        expect(inferred).not.toContain(found.email);
        expect(found.witnesses).toBeGreaterThanOrEqual(3);
        inferred.push(found.email);
        count += 1;
      }
    }),
    { numRuns: 100 },
  );
  expect(count).toBeGreaterThan(20);
});
