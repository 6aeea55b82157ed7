// A streaming parser for the XML of a workbook's parts, with limits for memory and time: the depth
// of elements, and the length of one tag or text. Every character is examined a constant number of
// times, and entities of a document type are never expanded.
import {
  workbookXmlDepthMax,
  workbookXmlTokenCharactersMax,
} from '../../contract/limits/spreadsheet.ts';
import type { WorkbookParts } from './workbook-parts.ts';
import { refuseDamaged, refuseTooLarge } from './workbook-refusals.ts';

/** The attributes of the element that was just opened, by name without prefix. */
export interface XmlAttributes {
  /** The decoded value; undefined if there is no such attribute. */
  read(name: string): string | undefined;
}

/** Called with the contents of the XML, in order. Names have no prefix. */
export interface XmlListener {
  /** `attributes` are valid until the listener returns. */
  open(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

const EXCLAMATION = 0x21;
const SLASH = 0x2f;
const COLON = 0x3a;
const GREATER = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Decodes the predefined entities of XML. Other entities are left as written. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (written: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? written;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : written;
    },
  );
}

/** Space, tab, line feed or carriage return; also the end of the text. */
const isSpace = (code: number): boolean => !(code > 0x20);

/** Index of the `>` that ends a tag, outside quotes; -1 if it has not arrived yet. */
function findTagEnd(text: string, from: number): number {
  let quote = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === GREATER) return at;
    else if (code === QUOTE || code === APOSTROPHE) quote = code;
  }
  return -1;
}

/** Whether the attribute name that ends at an index is `name`, with or without a prefix. */
function isNamed(text: string, end: number, name: string): boolean {
  const start = end - name.length;
  if (!text.startsWith(name, start)) return false;
  const before = text.charCodeAt(start - 1);
  return isSpace(before) || (before === COLON && !text.startsWith('xmlns', start - 6));
}

/** The value of the attribute `name` in a range, with or without a prefix. */
function findAttribute(text: string, from: number, to: number, name: string): string | undefined {
  for (let at = from; at < to; ) {
    const equalsAt = text.indexOf('=', at);
    if (equalsAt < 0 || equalsAt >= to) return undefined;
    let openAt = equalsAt + 1;
    while (isSpace(text.charCodeAt(openAt)) && openAt < to) openAt++;
    const closeAt = text.indexOf(text.charAt(openAt), openAt + 1);
    if (closeAt < 0 || closeAt > to) return undefined;
    let nameEnd = equalsAt;
    while (nameEnd > at && isSpace(text.charCodeAt(nameEnd - 1))) nameEnd--;
    if (isNamed(text, nameEnd, name)) return decodeEntities(text.slice(openAt + 1, closeAt));
    at = closeAt + 1;
  }
  return undefined;
}

class XmlParser {
  private readonly part: string;
  private readonly listener: XmlListener;
  /** Names of the open elements, as written. */
  private readonly names: string[] = [];
  private hasRoot = false;
  /** Text that is not complete yet. */
  private rest = '';
  private tagText = '';
  private tagFrom = 0;
  private tagTo = 0;
  private readonly attributes: XmlAttributes = {
    read: (name) => findAttribute(this.tagText, this.tagFrom, this.tagTo, name),
  };

  constructor(part: string, listener: XmlListener) {
    this.part = part;
    this.listener = listener;
  }

  private refuse(what: string): Error {
    return refuseDamaged(`${this.part} is not valid XML: ${what}`);
  }

  private emit(text: string): void {
    if (this.names.length > 0) this.listener.text?.(text);
  }

  private closeTag(text: string, from: number, to: number): void {
    const name = this.names.pop();
    const end = from + (name?.length ?? 0);
    if (name === undefined || !text.startsWith(name, from) || text.slice(end, to).trim() !== '')
      throw this.refuse('an element is closed that is not open');
    this.listener.close?.(name.slice(name.indexOf(':') + 1));
  }

  private openTag(text: string, from: number, to: number): void {
    const isClosed = text.charCodeAt(to - 1) === SLASH;
    this.tagTo = isClosed ? to - 1 : to;
    let nameEnd = from;
    while (nameEnd < this.tagTo && !isSpace(text.charCodeAt(nameEnd))) nameEnd++;
    if (nameEnd === from) throw this.refuse('an element has no name');
    this.tagText = text;
    this.tagFrom = nameEnd;
    this.hasRoot = true;
    const name = text.slice(from, nameEnd);
    const plainName = name.slice(name.indexOf(':') + 1);
    if (this.names.length === workbookXmlDepthMax)
      throw refuseTooLarge(
        `The workbook's ${this.part} nests XML elements more than ${workbookXmlDepthMax} deep.`,
      );
    this.listener.open(plainName, this.attributes);
    if (isClosed) this.listener.close?.(plainName);
    else this.names.push(name);
  }

  /** Reads the markup at an index. Returns its end; -1 if that has not arrived yet. */
  private takeMarkup(text: string, at: number): number {
    const skipTo = (mark: string, from: number): number => {
      const end = text.indexOf(mark, from);
      return end < 0 ? -1 : end + mark.length;
    };
    if (text.startsWith('<?', at)) return skipTo('?>', at + 2);
    if (text.startsWith('<!', at)) {
      if (text.startsWith('<!--', at)) return skipTo('-->', at + 4);
      if (text.startsWith('<![CDATA[', at)) {
        const end = skipTo(']]>', at + 9);
        if (end >= 0) this.emit(text.slice(at + 9, end - 3));
        return end;
      }
      // It takes several characters to distinguish these.
      if (text.length < at + 9) return -1;
    }
    const end = findTagEnd(text, at + 1);
    if (end < 0) return -1;
    const code = text.charCodeAt(at + 1);
    if (code === SLASH) this.closeTag(text, at + 2, end);
    else if (code !== EXCLAMATION) this.openTag(text, at + 1, end);
    return end + 1;
  }

  push(piece: string): void {
    const text = this.rest + piece;
    let at = 0;
    for (;;) {
      const markupAt = text.indexOf('<', at);
      if (markupAt < 0) break;
      if (markupAt > at) this.emit(decodeEntities(text.slice(at, markupAt)));
      at = markupAt;
      const end = this.takeMarkup(text, at);
      if (end < 0) break;
      at = end;
    }
    this.rest = text.slice(at);
    if (this.rest.length <= workbookXmlTokenCharactersMax) return;
    const most = workbookXmlTokenCharactersMax.toLocaleString('en-US');
    throw refuseTooLarge(
      `The workbook's ${this.part} contains a text or a tag of more than ${most} characters.`,
    );
  }

  end(): void {
    if (!this.hasRoot || this.names.length > 0 || this.rest.trim() !== '')
      throw this.refuse('it ends too early');
  }
}

/** A reader of XML in chunks. Both methods throw what readXml throws. */
export interface XmlReader {
  push(text: string): void;
  end(): void;
}

/** Creates a reader. `part` names the XML in errors. */
export const createXmlReader = (part: string, listener: XmlListener): XmlReader =>
  new XmlParser(part, listener);

/**
 * Reads the XML of a part to its end. Throws EngineError('validation_error') for XML that is not
 * well-formed or beyond a limit, and what reading the part throws.
 */
export async function readXml(
  parts: WorkbookParts,
  part: string,
  listener: XmlListener,
): Promise<void> {
  const parser = new XmlParser(part, listener);
  await parts.read(part, (text) => parser.push(text));
  parser.end();
}
