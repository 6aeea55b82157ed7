// What each shipped definition reads from a hit of its fake: field → answer.
import type { FieldHit, ProviderField, ProviderRow } from '../../engine/contract/provider.ts';

/** A row that every service can find. */
export const ada: ProviderRow = {
  first_name: 'Ada',
  last_name: 'Byron',
  company_name: 'Acme',
  company_domain: 'acme.example',
  profile_url: 'https://www.linkedin.com/in/ada-byron',
};

const email = 'ada.byron@acme.example';
const phone = '+33600000000';
const day = '2026-05-04';

const hit = (
  values: FieldHit['values'],
  rest: Partial<Omit<FieldHit, 'kind' | 'values'>> = {},
): FieldHit => ({ kind: 'hit', values, observedOn: null, confidence: null, ...rest });

const employer = {
  title: 'Chief Financial Officer',
  company_name: 'Acme',
  company_domain: 'acme.example',
  profile_url: 'https://www.linkedin.com/in/ada-byron',
};
const named = { first_name: 'Ada', last_name: 'Byron', ...employer };
const headOffice = {
  company_website: 'acme.example',
  company_address: '1 Harbour Street',
  company_city: 'Lyon',
  company_state: 'Auvergne-Rhône-Alpes',
  company_country: 'France',
  company_postal_code: '69002',
  company_phone: '+33400000000',
};
const { company_phone: _phone, ...placeOfPdl } = headOffice;
const { company_postal_code: _code, ...placeOfProspeo } = headOffice;

/** The answers for a hit, and the credits that the fake charges for each. */
interface Hits {
  readonly fields: Partial<Record<ProviderField, FieldHit>>;
  /** Credits for all of these fields of one row. */
  readonly credits: number;
  /** Whether the answer says what it cost. */
  readonly isReported: boolean;
}

const found = { observedOn: day, confidence: 0.97 };
const pdl = { observedOn: day, confidence: 0.9 };

/** Id of a definition → its answers for `ada`; `email_status` for her address. */
export const hits: Readonly<Record<string, Hits>> = {
  hunter: {
    fields: {
      work_email: hit({ email }, { status: 'valid', ...found }),
      employment: hit(employer, found),
    },
    credits: 1,
    isReported: false,
  },
  apollo: {
    fields: {
      work_email: hit({ email }, { status: 'valid' }),
      employment: hit({ ...named, start_date: '2025-03-01' }),
      headquarters: hit(headOffice),
    },
    credits: 1,
    isReported: true,
  },
  'people-data-labs': {
    fields: {
      work_email: hit({ email }, pdl),
      employment: hit({ ...named, start_date: '2025-03' }, pdl),
      headquarters: hit(placeOfPdl, pdl),
      phone: hit({ mobile_phone: phone }, pdl),
    },
    credits: 1,
    isReported: true,
  },
  prospeo: {
    fields: {
      work_email: hit({ email }, { status: 'valid' }),
      employment: hit(employer),
      headquarters: hit({ ...placeOfProspeo, company_address: '1 Harbour Street, Lyon' }),
      phone: hit({ mobile_phone: phone }),
    },
    credits: 10,
    isReported: true,
  },
  fullenrich: {
    fields: {
      work_email: hit({ email }, { status: 'valid' }),
      phone: hit({ mobile_phone: phone }),
    },
    credits: 11,
    isReported: true,
  },
  dropcontact: {
    fields: {
      work_email: hit({ email }, { status: 'valid' }),
      employment: hit({ ...employer, company_domain: 'www.acme.example' }),
      headquarters: hit({
        company_website: 'www.acme.example',
        company_address: '1 Harbour Street',
        company_city: 'Lyon',
        company_postal_code: '69002',
      }),
    },
    credits: 1,
    isReported: false,
  },
  bettercontact: {
    fields: {
      work_email: hit({ email }, { status: 'valid' }),
      phone: hit({ mobile_phone: phone }),
    },
    credits: 11,
    isReported: true,
  },
  zerobounce: {
    fields: { email_status: hit({}, { status: 'valid', observedOn: day }) },
    credits: 1,
    isReported: false,
  },
  leadmagic: {
    fields: { work_email: hit({ email }, { status: 'valid' }) },
    credits: 1,
    isReported: true,
  },
  findymail: { fields: { work_email: hit({ email }) }, credits: 1, isReported: false },
  enrow: {
    fields: { work_email: hit({ email }, { status: 'valid' }) },
    credits: 1,
    isReported: true,
  },
  icypeas: {
    fields: { work_email: hit({ email }, { status: 'valid' }) },
    credits: 1,
    isReported: false,
  },
  lusha: {
    fields: {
      work_email: hit({ email }, { observedOn: day }),
      phone: hit({ mobile_phone: phone }, { observedOn: day }),
    },
    credits: 7,
    isReported: true,
  },
};

/** Fields that an operation of its own answers: definition, field, answer, credits. */
export const otherHits: readonly (readonly [string, ProviderField, FieldHit, number])[] = [
  ['hunter', 'email_status', hit({}, { status: 'valid', confidence: 1 }), 0.5],
  ['leadmagic', 'email_status', hit({}, { status: 'valid' }), 0.25],
  ['leadmagic', 'phone', hit({ mobile_phone: phone }), 5],
  ['findymail', 'phone', hit({ mobile_phone: phone }), 10],
];
