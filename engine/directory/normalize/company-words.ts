// The words of company names, as they are folded: legal forms, abbreviations, filler, listings.
import { readForms, readWords } from '../../platform/read-words.ts';

/** Each word with others of one meaning → the word that replaces it. */
export const wordForms = readForms('company-words');

/** Runs of words that count as one word: the last entry. */
export const wordRuns: readonly (readonly string[])[] = readWords('company-phrases').flatMap(
  ([form, phrases]) => phrases.map((phrase) => [...phrase.split(' '), form]),
);

/** What a stock exchange appends to a name; it is removed together with everything after it. */
export const listingPhrase = new RegExp(
  `[\\s,-]+(?:${[
    'class [a-z]\\b',
    'common (?:stock|shares?|units?)',
    'ordinary shares?',
    'ord [a-z]{3} ?\\d',
    'npv\\b',
    'american deposit[ao]ry',
    'depositary (?:shares?|receipts?|units?)',
    '(?:sponsored )?adrs?\\b',
    'units?,? each',
    'warrants?\\b',
    'rights?\\b each',
    'preferred (?:stock|shares?)',
    'shares of beneficial',
    'each representing',
  ].join('|')}).*$`,
);

/** What introduces another name of a company, folded: "X DBA Y", "X, vormals Y". */
export const otherNameBreak =
  /[\s,;(]+(?:d\/?b\/?a|d\.b\.a\.?|doing business as|trading as|t\/a|formerly(?: known as)?|f\/?k\/?a|a\/?k\/?a|also known as|now (?:called|known as)|ehemals|vormals|anciennement|voorheen|dawniej|tidigare|tidligere|anteriormente|eski adiyla|бывш(?:ий|ая|ее|\.)|ранее|(?:ehem|vorm|anc|tidl)\.)[\s:]+|\s+(?:→|⇒|[-=]>)\s+/;

/** What introduces it in brackets only: elsewhere these are words of names. */
export const bracketedName =
  /\((?:ex|previously|now|today|(?:since )?(?:renamed|rebranded|name changed)(?: as| to| into)?|umbenannt in|devenue?|heute|dnes|obecnie|antes|ahora|gia|ora|fruher|jetzt|maintenant|nu|теперь|旧|元|现|原|구)[\s:-]*([^()]+)\)/;
