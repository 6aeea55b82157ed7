// Parses rules of an organisation, from a file or a value of the system.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { EngineError } from '../contract/errors.ts';
import { ruleFileBytesMax } from '../contract/limits/team.ts';
import { type TeamConfig, TeamConfigSchema } from '../contract/team/team-config.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import { locateJson } from '../providers/definitions/locate-json.ts';

const problemsMax = 3;
/** Bits of the mode that let the group or all users write. */
const othersWriteMask = 0o022;

const askAdministrator =
  'Ask an administrator of this machine to correct it. Nothing was opened or changed.';

export const refuseRules = (place: string, what: string): EngineError =>
  new EngineError(
    'policy_invalid',
    `The rules of your organisation in ${place} cannot be used: ${what} ${askAdministrator}`,
  );

/** The same refusal, to an author of the rules. */
export const refuseDraft = ({ code, detail }: EngineError): EngineError =>
  new EngineError(code, detail.replace(askAdministrator, 'Correct it, and check it again.'));

/**
 * Parses rules. Throws `policy_invalid`, with the JSON path of what is wrong, for rules that cannot
 * be enforced as a whole: an engine that ignored a part of them would keep what must be deleted.
 * @param place where the text is from, for the message
 */
export function parseRules(text: string, place: string): TeamConfig {
  try {
    const { $schema, ...config } = parseWith(TeamConfigSchema, JSON.parse(text), '', problemsMax);
    // Parsers keep the last of them, so that it would silently replace the rule above it.
    const [twice] = locateJson(text).duplicates;
    if (twice)
      throw refuseRules(place, `it has "${twice.key}" twice, again in line ${twice.line}.`);
    return config;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw refuseRules(place, `it is not JSON (${error.message}).`);
    if (error instanceof EngineError && error.code !== 'policy_invalid')
      throw refuseRules(place, error.detail);
    throw error;
  }
}

/** Why a file cannot have rules; null if it can. */
function findFileFault(file: Stats, isPacked: boolean): string | null {
  if (!file.isFile()) return 'it is not a plain file.';
  if (file.size > ruleFileBytesMax) return `it has more than ${ruleFileBytesMax} bytes.`;
  const ownId = process.getuid?.();
  // Windows and the app's own archive have no owners and modes of files.
  if (isPacked || ownId === undefined) return null;
  if ((file.mode & othersWriteMask) !== 0) return 'other users can write to it.';
  // The owner can give themself the right to write.
  if (file.uid !== 0 && file.uid !== ownId) return 'it belongs to another user.';
  return null;
}

/** Reads the file that was checked, whatever has its name now. Throws `policy_invalid`. */
function readChecked(path: string, isPacked: boolean): string {
  // Without the flag, opening a named pipe waits for a writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const fault = findFileFault(fstatSync(file), isPacked);
    if (fault) throw refuseRules(path, fault);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a file of rules; null if there is none. Throws `policy_invalid` for one that cannot be read
 * or enforced.
 * @param isPacked whether it is in the app's own archive
 */
export function readRuleFile(path: string, isPacked = false): TeamConfig | null {
  try {
    return parseRules(readChecked(path, isPacked).replace(/^\uFEFF/, ''), path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof EngineError) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw refuseRules(path, `${message}.`);
  }
}
