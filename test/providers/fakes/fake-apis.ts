// Every fake service.
import { apollo } from './apollo.ts';
import { betterContact } from './better-contact.ts';
import { dropcontact } from './dropcontact.ts';
import { enrow } from './enrow.ts';
import type { FakeApi } from './fake-api.ts';
import { findymail } from './findymail.ts';
import { fullEnrich } from './full-enrich.ts';
import { hunter } from './hunter.ts';
import { icypeas } from './icypeas.ts';
import { leadMagic } from './lead-magic.ts';
import { lusha } from './lusha.ts';
import { peopleDataLabs } from './people-data-labs.ts';
import { prospeo } from './prospeo.ts';
import { zerobounce } from './zerobounce.ts';

/** Every fake service, in the order of docs/providers.md. */
export const fakeApis: readonly FakeApi[] = [
  hunter,
  apollo,
  peopleDataLabs,
  prospeo,
  fullEnrich,
  dropcontact,
  betterContact,
  zerobounce,
  leadMagic,
  findymail,
  enrow,
  icypeas,
  lusha,
];
