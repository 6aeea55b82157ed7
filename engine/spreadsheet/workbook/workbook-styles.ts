// The styles of a workbook: which numbers are dates, and which have zeros in their format.
import { numberFormatCharactersMax } from '../../contract/limits/spreadsheet.ts';
import { type DigitFormat, readDigitFormat } from './digit-format.ts';
import type { WorkbookParts } from './workbook-parts.ts';
import { unescapeText } from './workbook-texts.ts';
import { readXml, type XmlAttributes } from './workbook-xml.ts';

/**
 * How each style, by index, displays a number: as a date or time, in a format of digits such as
 * "00000" or "(000) 000-0000", or in another way, which is null.
 */
export type NumberStyles = readonly ('date' | DigitFormat | null)[];

const isBetween = (first: number, last: number) => (id: number) => id >= first && id <= last;
/** Built-in formats of dates and times; those from 27 on are East Asian. */
const dateFormatIds = [
  isBetween(14, 22),
  isBetween(27, 36),
  isBetween(45, 47),
  isBetween(50, 58),
  isBetween(71, 81),
];
/** Custom formats start here. Excel uses higher ids; some other programs start this low. */
const ownFormatIdMin = 100;

const dateToken = /^(?:ss?|mm?|hh?|am?|pm?|d{1,4}|a{3,5}|m{3,5}|y{1,2}|yyyy|e{1,2}|eeee)$/;

/** Whether a format such as `[$-409]d. mmm yyyy;@` consists of date and time letters. */
function isDateFormat(code: string): boolean {
  if (code.length > numberFormatCharactersMax) return false;
  const sections = code.toLowerCase().replace(/;@$/, '').replace(/\\./g, ' ').split(';');
  return sections.some((section) => {
    const tokens = section
      .replace(/"[^"]*"/g, ' ')
      // Fractions of a second, then hours beyond 24: "[h]:mm:ss.000".
      .replace(/(\[?[smhd]{1,2}\]?)[.,]00?0?/g, '$1')
      .replace(/\[([smhd]{1,2})\]/g, '$1')
      .replace(/\[[^\]]*\]/g, '')
      .split(/[^a-z0#?%]+/)
      .filter((token) => token !== '');
    return tokens.length > 0 && tokens.every((token) => dateToken.test(token));
  });
}

/** Reads the styles; without that part there are none. Throws what readXml throws. */
export async function readNumberStyles(parts: WorkbookParts, part: string): Promise<NumberStyles> {
  const ownFormats = new Map<number, NumberStyles[number]>();
  const baseStyles: (number | null)[] = [];
  const styles: NumberStyles[number][] = [];
  let list = '';
  if (parts.sizeOf(part) === undefined) return styles;
  const readNumber = (attributes: XmlAttributes, name: string): number | null => {
    const text = attributes.read(name);
    return text === undefined || text === '' ? null : Number(text);
  };
  const styleOf = (id: number): NumberStyles[number] =>
    dateFormatIds.some((holds) => holds(id)) ? 'date' : (ownFormats.get(id) ?? null);
  await readXml(parts, part, {
    open(name, attributes) {
      if (name === 'numFmt') {
        const id = Number(attributes.read('numFmtId'));
        const code = unescapeText(attributes.read('formatCode') ?? '');
        if (id >= ownFormatIdMin)
          ownFormats.set(id, isDateFormat(code) ? 'date' : readDigitFormat(code));
      } else if (name === 'cellStyleXfs' || name === 'cellXfs') list = name;
      else if (name === 'xf' && list === 'cellStyleXfs')
        baseStyles.push(readNumber(attributes, 'numFmtId'));
      else if (name === 'xf' && list === 'cellXfs') {
        const base = baseStyles[readNumber(attributes, 'xfId') ?? -1] ?? null;
        styles.push(styleOf(readNumber(attributes, 'numFmtId') ?? base ?? 0));
      }
    },
    close(name) {
      if (name === list) list = '';
    },
  });
  return styles;
}
