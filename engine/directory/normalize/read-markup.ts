// The text of cells that programs wrote as markup or as a formula, and words for nothing.
import { decodeEntities } from '../../spreadsheet/decode-entities.ts';

// Most cells have none of these marks.
const mayBeMarkup = /^=|<\/?[a-z]|\]\(|&(?:#\w|[a-z]{2,8};)/i;

/** How links are written: the address and the words shown, in this order or the other. */
const links: readonly (readonly [pattern: RegExp, isWordsFirst: boolean])[] = [
  [/^=\s*HYPERLINK\(\s*"([^"]*)"(?:\s*[,;]\s*"([^"]*)")?\s*\)\s*$/i, false],
  [/<a\s(?=[^<>]*?href\s*=\s*["']?([^"'<>\s]+))[^<>]*>((?:(?!<a\s)[\s\S])*?)<\/a>/i, false],
  [/\[([^[\]]*)\]\(\s*<?([^()\s<>]+)>?\s*(?:"[^"]*")?\)/, true],
];
export const tags =
  /<\/?(?:a|abbr|b|big|br|center|code|div|em|font|h[1-6]|hr|i|li|ol|p|pre|s|small|span|strong|sub|sup|table|tbody|td|th|tr|u|ul)(?:\s[^<>]*)?\/?>/gi;

/** A text with the words of its first link, and the address of the link behind a bar. */
export function spreadLink(text: string): string {
  const found = links.find(([pattern]) => pattern.test(text));
  if (found === undefined) return text;
  const [pattern, isWordsFirst] = found;
  return text.replace(pattern, (_all, one = '', other = '') => {
    const [address, words] = isWordsFirst ? [other, one] : [one, other];
    return words.trim() === '' ? address : `${words} | ${address}`;
  });
}

/** The page of a related record, which Notion writes behind its name. */
const linkBehind = /(?<=\S)\s+\(https?:\/\/[^\s()]+\)$/i;

/**
 * The text that a reader sees: without tags, with entities decoded, of a link the words shown.
 * @param wantsAddress of a link the address counts
 */
export function readMarkup(text: string, wantsAddress: boolean): string {
  if (!wantsAddress && linkBehind.test(text)) return text.replace(linkBehind, '');
  if (!mayBeMarkup.test(text)) return text;
  // A phone number that a spreadsheet took for a sum.
  if (/^=\+?\d[\d\s().-]*$/.test(text)) return text.slice(1);
  let shown = text;
  for (const [pattern, isWordsFirst] of links) {
    const [, one = '', other = ''] = pattern.exec(shown) ?? [];
    const [address, words] = isWordsFirst ? [other, one] : [one, other];
    if (address !== '') shown = (wantsAddress ? address : words.trim()) || address;
  }
  // Some programs encode entities again: "&amp;#039;".
  const once = decodeEntities(shown.replace(tags, ' '));
  return decodeEntities(once).replace(/\s+/g, ' ').trim();
}

const nothing =
  /^(?:#?n\/?a|n\.a\.?|nul+|[<([]n(?:ul+|a|one)[>)\]]|none|nil|nan|nat|undefined|\\n|[.?_—–]+|\[\s*\]|\{\s*\}|""|''|[([]?(?:blank|empty|leer|vide)[)\]]?|-+|#(?:ref|value|name|num|div\/0)[!?]?|not (?:available|provided|given|known)|no (?:email|phone|company|data)|tb[acd]|unknown|keine?|unbekannt|keine angabe|k\.\s?a\.|inconnu|non renseigné|desconocido|sin datos|sconosciuto|onbekend|nieznany|не указано|нет данных|нет|n\.?\s?v\.?\s?t\.?|b\.\s?d\.|s\/d|なし|不明|未入力|无|無|没有|없음|미입력)$/i;
/** What nobody is called. */
const noName =
  /^(?:#?n\/a|\\n|undefined|(?:undefined|null|none|nan)(?:\s(?:undefined|null|none|nan))+|[<([](?:null|blank|empty)[>)\]]|-+|#(?:ref|value|name|num|div\/0)[!?]?)$/i;

/** Fields of a template that were not filled: "%FIRSTNAME%", "{{ name }}", "*|FNAME|*". */
const placeholders =
  /^(?:(?:%[\w.]+%|\$?\{{1,2}[^{}]{1,30}\}{1,2}|\*\|\w+\|\*|<<[^<>]{1,30}>>|\[\[[^[\]]{1,30}\]\])\s*)+$/;

/** Whether a cell says that there is no value. Null and None are names of people. */
export const isNothing = (text: string, isName: boolean): boolean =>
  (text.length < 24 && (isName ? noName : nothing).test(text)) ||
  (text.length < 80 && /^[%{$*<[]/.test(text) && placeholders.test(text));
