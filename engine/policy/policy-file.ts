/** The policy file of an organisation: rules for every data folder of the machine. */
import { readFileSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import { type EnginePolicy, EnginePolicySchema } from '../contract/retention/retention.ts';
import { parseWith } from '../http/bodies/parse-with.ts';

const problemsMax = 3;
/** Bits of the mode that let the group or all users write. */
const othersWriteMask = 0o022;

/**
 * Where the policy file is: in a folder of the system that only an administrator can write to. It
 * does not depend on variables that a user sets, except for the name of the folder on Windows.
 */
export function policyPath(
  platform: NodeJS.Platform = process.platform,
  programData = process.env.ProgramData ?? 'C:\\ProgramData',
): string {
  if (platform === 'win32') return win32.join(programData, 'Enrichment Desk', 'policy.json');
  if (platform === 'darwin') return '/Library/Application Support/Enrichment Desk/policy.json';
  return posix.join('/etc', 'enrichment-desk', 'policy.json');
}

const refuse = (path: string, what: string): EngineError =>
  new EngineError(
    'policy_invalid',
    `The policy file ${path} of your organisation cannot be used: ${what} ` +
      'Ask an administrator of this machine to correct it. Nothing was opened or changed.',
  );

function readText(path: string): string | null {
  try {
    const { mode } = statSync(path);
    if (process.platform !== 'win32' && (mode & othersWriteMask) !== 0)
      throw refuse(path, 'other users can write to it.');
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof EngineError) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw refuse(path, `${message}.`);
  }
}

/**
 * Reads a policy file. A file that does not exist rules nothing. Throws `policy_invalid`, with the
 * JSON path of what is wrong, for any file that cannot be obeyed as a whole: an engine that ignored
 * a part of it would keep what must be deleted.
 */
export function readPolicyFile(path: string): EnginePolicy {
  const text = readText(path);
  if (text === null) return {};
  try {
    return parseWith(EnginePolicySchema, JSON.parse(text), '', problemsMax);
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse(path, `it is not JSON (${error.message}).`);
    if (error instanceof EngineError) throw refuse(path, error.detail);
    throw error;
  }
}
