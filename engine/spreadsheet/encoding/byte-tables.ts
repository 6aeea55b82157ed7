// Encodings of one byte a character that the Encoding standard does not have.
import { isAscii } from 'node:buffer';
import type { Encoding } from '../../contract/reading/encodings.ts';

/** Characters of the bytes 0x80 to 0xFF of encodings whose other bytes are ASCII. */
const upperHalves = {
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm737:
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u00a0',
  ibm775:
    'ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ¢ŚśÖÜø£Ø×¤ĀĪóŻżź”¦©®¬½¼Ł«»░▒▓│┤ĄČĘĖ╣║╗╝ĮŠ┐' +
    '└┴┬├─┼ŲŪ╚╔╩╦╠═╬Žąčęėįšųūž┘┌█▄▌▐▀ÓßŌŃõÕµńĶķĻļņĒŅ’\u00ad±“¾¶§÷„°∙·¹³²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
    '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  ibm857:
    'ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\ufffdÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\ufffd×ÚÛÙìÿ¯´\u00ad±\ufffd¾¶§÷¸°¨·¹³²■\u00a0',
  ibm862:
    'אבגדהוזחטיךכלםמןנסעףפץצקרשת¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm865:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  'x-mac-ce':
    'ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅ' +
    'ņŃ¬√ńŇ∆«»…\u00a0ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ',
  'x-mac-greek':
    'Ä¹²É³ÖÜ΅àâä΄¨çéèêë£™îï•½‰ôö¦€ùûü†ΓΔΘΛΞΠß®©ΣΪ§≠°·Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩ' +
    'άΝ¬ΟΡ≈Τ«»…\u00a0ΥΧΆΈœ–―“”‘’÷ΉΊΌΎέήίόΏύαβψδεφγηιξκλμνοπώρστθωςχυζϊϋΐΰ\u00ad',
  'x-mac-turkish':
    'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø' +
    '¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸĞğİıŞş‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙ\uf8a0ˆ˜¯˘˙˚¸˝˛ˇ',
} as const satisfies Partial<Record<Encoding, string>>;

/** The bytes 0x40 to 0xFF of EBCDIC, as on mainframes. Those below are controls. */
const mainframePages = {
  ibm037:
    ' \u00a0âäàáãåçñ¢.<(+|&éêëèíîïìß!$*);¬-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@\'="' +
    'Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿ÐÝÞ®^£¥·©§¶¼½¾[]¯¨´×' +
    '{ABCDEFGHI\u00adôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ\u009f',
  ibm273:
    ' \u00a0â{àáãåçñÄ.<(+!&éêëèíîïì~Ü$*);^-/Â[ÀÁÃÅÇÑö,%_>?øÉÊËÈÍÎÏÌ`:#§\'="' +
    'Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µßstuvwxyz¡¿ÐÝÞ®¢£¥·©@¶¼½¾¬|‾¨´×' +
    'äABCDEFGHI\u00adô¦òóõüJKLMNOPQR¹û}ùúÿÖ÷STUVWXYZ²Ô\\ÒÓÕ0123456789³Û]ÙÚ\u009f',
  ibm500:
    ' \u00a0âäàáãåçñ[.<(+!&éêëèíîïìß]$*);^-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@\'="' +
    'Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿ÐÝÞ®¢£¥·©§¶¼½¾¬|¯¨´×' +
    '{ABCDEFGHI\u00adôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ\u009f',
} as const satisfies Partial<Record<Encoding, string>>;

type UpperHalf = keyof typeof upperHalves;
type MainframePage = keyof typeof mainframePages;

const isUpperHalf = (encoding: Encoding): encoding is UpperHalf => encoding in upperHalves;

/** Whether an encoding is EBCDIC, whose bytes of ASCII mean other characters. */
export const isMainframePage = (encoding: Encoding): encoding is MainframePage =>
  encoding in mainframePages;

const mainframePageNames = Object.keys(mainframePages) as MainframePage[];

/** Bytes of EBCDIC that are other controls than in ASCII. */
const mainframeControls: ReadonlyMap<number, string> = new Map([
  [0x05, '\t'],
  [0x09, '\u008d'],
  [0x0a, '\u008e'],
  [0x0d, '\r'],
  [0x15, '\n'],
  [0x25, '\n'],
]);

/** The characters of all bytes of an encoding; null if it is not one of this file. */
export function listCharacters(encoding: Encoding): readonly string[] | null {
  if (isUpperHalf(encoding)) {
    const ascii = Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte));
    return [...ascii, ...upperHalves[encoding]];
  }
  if (!isMainframePage(encoding)) return null;
  const controls = Array.from(
    { length: 64 },
    (_, byte) => mainframeControls.get(byte) ?? String.fromCharCode(byte < 32 ? byte : byte + 96),
  );
  return [...controls, ...mainframePages[encoding]];
}

export function translateBytes(bytes: Buffer, characters: readonly string[]): string {
  if (characters[0x41] === 'A' && isAscii(bytes)) return bytes.toString('latin1');
  return bytes
    .toString('latin1')
    .replace(
      characters[0x41] === 'A' ? /[\x80-\xff]/g : /[\s\S]/g,
      (character) => characters[character.charCodeAt(0)] ?? '',
    );
}

/** Ends of lines, the space, and signs of lists: . - , ; _ @ ' " | */
const usualSigns: ReadonlySet<number> = new Set([
  0x05, 0x0d, 0x15, 0x25, 0x40, 0x4b, 0x60, 0x6b, 0x5e, 0x6d, 0x7c, 0xb5, 0x7d, 0x7f, 0x4f,
]);

const bytesMin = 16;
const usualShare = 0.85;
const foreignShare = 0.01;

/**
 * The pages of EBCDIC in which some bytes are text; none if they are no EBCDIC. Its texts have
 * letters, digits and signs where others have letters outside ASCII, and nothing in the place of
 * the digits and signs of ASCII.
 */
export function findMainframePages(bytes: Uint8Array): readonly MainframePage[] {
  let usual = 0;
  let foreign = 0;
  for (const byte of bytes) {
    if (byte === 0x0a || (byte >= 0x20 && byte < 0x40 && byte !== 0x25)) foreign++;
    const isLetter = (byte & 0x0f) >= 1 && (byte & 0x0f) <= 9 && byte >= 0x81 && byte < 0xea;
    if (isLetter || usualSigns.has(byte) || byte >= 0xf0) usual++;
  }
  const isMainframe =
    bytes.length >= bytesMin &&
    usual >= bytes.length * usualShare &&
    foreign <= bytes.length * foreignShare;
  return isMainframe ? mainframePageNames : [];
}
