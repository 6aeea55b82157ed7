// The features of a row's identifiers: those that are a person's, and those that are not.
import { type MatchIndex, personFlags } from '../../index/index-layout.ts';
import { isRoleMailbox } from '../../normalize/normalize-email.ts';
import type { LastFit } from './compare-last.ts';
import { compareLocal } from './compare-local.ts';
import { addFeature, type FeatureList, families } from './features.ts';
import type { Identified } from './find-identified.ts';
import {
  firstGroup,
  identifierBit,
  identifierKinds,
  lastGroup,
  mailDomain,
  orgGroup,
} from './levels.ts';
import type { RowOrganisation } from './organisations/row-organisation.ts';
import { isFreeHost } from './organisations/web-domains.ts';
import type { PersonView } from './people-view.ts';
import type { RowText } from './readings/read-identifiers.ts';
import type { Reading } from './readings/read-row.ts';

export interface RowReading extends Reading {
  readonly org: RowOrganisation;
}

/** A row as candidates are weighed against it. */
export interface WeighedRow {
  readonly text: RowText;
  readonly identified: Identified;
  /** The organisation of a row without a name. */
  readonly org: RowOrganisation;
  /** Function of the title (title-functions.ts); 0 if unknown. */
  readonly title: number;
}

/** The best of a person's employers for a row. */
export interface Employer {
  score: number;
  group: number;
  isCurrent: boolean;
  /** The organisation of the row's email, of its web address. */
  isMail: boolean;
  isWeb: boolean;
}

/** Everything of one pair while its features are listed. */
export interface Pair {
  readonly index: MatchIndex;
  readonly row: WeighedRow;
  readonly reading: RowReading | null;
  readonly view: PersonView;
  readonly lastFit: LastFit;
  readonly ofLast: number;
  readonly ofFirst: number;
  readonly ofOrg: number;
  readonly employer: Employer;
  readonly identifiers: number;
}

const hasAny = (identifiers: number, mask: number): boolean => (identifiers & mask) !== 0;
const emailMask =
  identifierBit.email |
  identifierBit.email_shared |
  identifierBit.email_many |
  identifierBit.email_role |
  identifierBit.email_near |
  identifierBit.email_local;
const urlMask = identifierBit.url | identifierBit.url_shared;
const phoneMask = identifierBit.phone | identifierBit.phone_shared;
const sureMask = identifierBit.email | identifierBit.url | identifierBit.email_near;

/** Identifiers of the row that belong to the person. */
export function addIdentifiers(into: FeatureList, pair: Pair): void {
  const { identifiers, ofLast, ofFirst, ofOrg } = pair;
  const half = (missing: boolean, none: boolean): number => (missing ? 1 : none ? 0 : 2);
  const isOpen = ofFirst === firstGroup.missing || ofFirst === firstGroup.uncommon;
  const ofGiven = half(isOpen, ofFirst === firstGroup.none);
  const ofSurname = half(ofLast === lastGroup.missing, ofLast === lastGroup.none);
  for (let kind = 0; kind < identifierKinds.length; kind++) {
    if (!hasAny(identifiers, 1 << kind)) continue;
    addFeature(into, families.identifier, 1, kind);
    addFeature(into, families.identifier_name, 1, kind, ofSurname, ofGiven);
  }
  if (!hasAny(identifiers, sureMask)) return;
  addFeature(into, families.identified, 1, ofLast, ofFirst);
  if (ofOrg === orgGroup.other) addFeature(into, families.identified_other_org, 1);
}

/** Identifiers of the row that are not the person's as far as is known. */
export function addOtherIdentifiers(into: FeatureList, pair: Pair): void {
  const { index, row, view, identifiers, ofLast, ofFirst, employer } = pair;
  const { identified, text } = row;
  const { person } = view;
  const flags = index.sections.personFlags[person]!;
  const holds = (flag: number): boolean => (flags & flag) !== 0;
  if (identified.emailOwner >= 0 && identified.emailOwner !== person)
    addFeature(into, families.other_email_owner, 1);
  if (identified.urlOwner >= 0 && identified.urlOwner !== person)
    addFeature(into, families.other_url_owner, 1);
  const email = text.emails[0];
  if (email !== undefined && identified.emailOwner < 0 && !hasAny(identifiers, emailMask)) {
    const at = email.indexOf('@');
    const domain = employer.isMail
      ? mailDomain.own
      : isFreeHost(email.slice(at + 1))
        ? mailDomain.free
        : identified.domains.mail.size > 0
          ? mailDomain.other
          : mailDomain.unknown;
    if (isRoleMailbox(email)) addFeature(into, families.mail_role, 1, domain);
    else {
      const fit = compareLocal(email.slice(0, at), view);
      addFeature(into, families.mail, 1, fit, domain);
      const isOwn = domain === mailDomain.own ? 1 : 0;
      addFeature(into, families.mail_name, 1, fit, isOwn, ofLast, ofFirst);
      if (holds(personFlags.hasEmail)) addFeature(into, families.mail_of_holder, 1, fit, domain);
    }
  }
  const url = text.urls[0];
  if (url !== undefined && identified.urlOwner < 0 && !hasAny(identifiers, urlMask)) {
    const page = url.startsWith('linkedin.com/in/') ? url.slice(16).replace(/[^a-z]/g, '') : '';
    if (page === '') {
      if (url.includes('/')) addFeature(into, families.page_unknown, 1);
    } else {
      const [surname, given] = [view.surnames[0]?.whole.text, view.firsts[0]?.text ?? ''];
      addFeature(
        into,
        families.page_name,
        1,
        surname && page.includes(surname) ? 1 : 0,
        given.length > 2 && page.includes(given) ? 1 : 0,
        holds(personFlags.hasMemberPage) ? 1 : 0,
      );
    }
  }
  if (employer.isWeb) addFeature(into, families.domain_own, 1);
  const hasPhone = text.phones.length > 0 && holds(personFlags.hasPhone);
  if (hasPhone && !hasAny(identifiers, phoneMask)) addFeature(into, families.phone_differs, 1);
}
