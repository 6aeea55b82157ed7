// The functions of titles as the match index keeps them, a byte each, and how they agree.
import { classifyTitle, jobFunctions, type TitleClass } from './classify-title.ts';

/** Whether a title has the function of one of a person's. */
export const titleFits = ['near', 'far'] as const;

const functionNumbers = new Map(jobFunctions.map((name, at) => [name, at + 1]));
const functionsMax = 4;

const codeOfClass = ({ jobFunction, isLevelAlone }: TitleClass): number =>
  isLevelAlone ? 0 : (functionNumbers.get(jobFunction ?? '') ?? 0);

/** The byte of a title's function; 0 if it is unknown: a chief or a director may be anyone's. */
export const codeOfTitle = (title: string): number =>
  title === '' ? 0 : codeOfClass(classifyTitle(title));

/**
 * The byte of a function's name; 0 if it is unknown. Lists name functions in words of their own.
 * @param title of an employment whose function is that of executives
 */
export const codeOfFunction = (name: string, title: string | null): number =>
  title === null
    ? (functionNumbers.get(name) ?? codeOfClass(classifyTitle(name)))
    : codeOfTitle(title);

const codeAt = (packed: number, at: number): number => (packed >>> (at * 8)) & 255;

/** Adds a byte to the packed ones of a person; the newest replaces the last of four. */
export function addFunction(packed: number, code: number): number {
  if (code === 0) return packed;
  let at = 0;
  for (; at < functionsMax - 1 && codeAt(packed, at) !== 0; at++)
    if (codeAt(packed, at) === code) return packed;
  return ((packed & ~(255 << (at * 8))) | (code << (at * 8))) >>> 0;
}

/** The place in titleFits of a title next to a person's functions; null if either is unknown. */
export function fitOfTitle(code: number, packed: number): number | null {
  if (code === 0 || packed === 0) return null;
  for (let at = 0; at < functionsMax; at++)
    if (codeAt(packed, at) === code) return titleFits.indexOf('near');
  return titleFits.indexOf('far');
}
