/** Parses rules of an organisation, from a file or a value of the system. */
import { readFileSync, statSync } from 'node:fs';
import { EngineError } from '../contract/errors.ts';
import { ruleFileBytesMax } from '../contract/limits/team.ts';
import { type TeamConfig, TeamConfigSchema } from '../contract/team/team-config.ts';
import { parseWith } from '../http/bodies/parse-with.ts';

const problemsMax = 3;
/** Bits of the mode that let the group or all users write. */
const othersWriteMask = 0o022;

/** A refusal of a source of rules. */
export const refuseRules = (place: string, what: string): EngineError =>
  new EngineError(
    'policy_invalid',
    `The rules of your organisation in ${place} cannot be used: ${what} ` +
      'Ask an administrator of this machine to correct it. Nothing was opened or changed.',
  );

/**
 * Parses rules. Throws `policy_invalid`, with the JSON path of what is wrong, for rules that cannot
 * be enforced as a whole: an engine that ignored a part of them would keep what must be deleted.
 * @param place where the text is from, for the message
 */
export function parseRules(text: string, place: string): TeamConfig {
  try {
    const { $schema, ...config } = parseWith(TeamConfigSchema, JSON.parse(text), '', problemsMax);
    return config;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw refuseRules(place, `it is not JSON (${error.message}).`);
    if (error instanceof EngineError) throw refuseRules(place, error.detail);
    throw error;
  }
}

/**
 * Reads a file of rules; null if there is none. Throws `policy_invalid` for one that cannot be read
 * or enforced.
 * @param isPacked whether it is in the app's own archive, which has no modes of files
 */
export function readRuleFile(path: string, isPacked = false): TeamConfig | null {
  try {
    const { mode, size } = statSync(path);
    if (!isPacked && process.platform !== 'win32' && (mode & othersWriteMask) !== 0)
      throw refuseRules(path, 'other users can write to it.');
    if (size > ruleFileBytesMax)
      throw refuseRules(path, `it has more than ${ruleFileBytesMax} bytes.`);
    return parseRules(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof EngineError) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw refuseRules(path, `${message}.`);
  }
}
