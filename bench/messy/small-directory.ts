// A hand-made directory in which every kind of dirt applies to someone.
import { type Company, createDirectory, type Directory, type Person } from './sample-people.ts';

const jobAt = (companyId: string, company: string, isCurrent = true) => ({
  companyId,
  company,
  title: 'State Senator',
  isCurrent,
});

const university = jobAt('c1', 'University of Texas-Main Campus');
const house = jobAt('c2', 'Ohio House of Representatives');
const hospital = jobAt('c3', 'Saint Mary Memorial Hospital & Clinics');
const formerHouse = jobAt('c2', 'Ohio House of Representatives', false);

const blankPerson: Omit<Person, 'id' | 'given' | 'last' | 'jobs'> = {
  middle: '',
  suffix: '',
  nickname: '',
  otherNames: [],
  emails: [],
  urls: [],
  phones: [],
};

const people: readonly Person[] = [
  {
    ...blankPerson,
    id: 'p1',
    given: 'William',
    middle: 'Henry',
    last: "O'Brien",
    suffix: 'Jr.',
    jobs: [university, formerHouse],
    emails: ['w.obrien@utexas.edu'],
    urls: ['https://www.linkedin.com/in/william-o_brien-12'],
    phones: ['+1-512-555-0101'],
  },
  {
    ...blankPerson,
    id: 'p2',
    given: 'José',
    last: 'de la Peña-Martínez',
    otherNames: ['Joe Martinson', 'Lord Martinson of Athens'],
    nickname: 'Pepe',
    jobs: [house],
    emails: ['jose.pena@ohiohouse.gov'],
    urls: ['http://www.ohiohouse.gov/jose-pena'],
    phones: ['+1-614-555-0102'],
  },
  { ...blankPerson, id: 'p3', given: 'Paul', last: 'McDonald', suffix: 'Sr.', jobs: [hospital] },
  { ...blankPerson, id: 'p4', given: 'Marcus', last: 'Whitfield', jobs: [house] },
  { ...blankPerson, id: 'p5', given: 'Martin', last: 'Whitfield', jobs: [house] },
  { ...blankPerson, id: 'p6', given: 'Paula', last: 'Jackson', jobs: [hospital] },
  { ...blankPerson, id: 'p7', given: 'Paula', last: 'Nguyen', jobs: [house] },
  { ...blankPerson, id: 'p8', given: 'Paula', last: 'Schmidt', jobs: [university] },
  { ...blankPerson, id: 'p9', given: 'Kate', last: 'Thompson', jobs: [hospital] },
  { ...blankPerson, id: 'p10', given: 'Kate', last: 'Thompson', jobs: [house] },
];

const companies: readonly Company[] = [
  {
    id: 'c1',
    name: 'University of Texas-Main Campus',
    aliases: ['UT Main'],
    kind: '',
    city: 'Austin',
    state: 'TX',
    phone: '',
    domain: 'utexas.edu',
  },
  {
    id: 'c2',
    name: 'Ohio House of Representatives',
    aliases: ['Ohio State House'],
    kind: '',
    city: '',
    state: 'OH',
    phone: '',
    domain: 'ohiohouse.gov',
  },
  {
    id: 'c3',
    name: 'Saint Mary Memorial Hospital & Clinics',
    aliases: [],
    kind: '',
    city: 'Fort Worth',
    state: 'TX',
    phone: '',
    domain: '',
  },
];

/** The hand-made directory; the last person is reserved for the development set. */
export const smallDirectory: Directory = createDirectory({
  people,
  companies,
  nicknames: new Map([
    ['william', new Set(['bill'])],
    ['bill', new Set(['william'])],
  ]),
  reserved: new Set(['p10']),
});
