// Reads RULES.json, the overwrite rules of an export.
import { EngineError } from '../../contract/errors.ts';
import { type Overwrite, OverwriteSchema } from '../../contract/exports/overwrite.ts';
import { parseWith } from '../../http/bodies/parse-with.ts';
import { type Call, readOption } from '../kit/command.ts';
import { readTextFile } from '../kit/read-paths.ts';
import { badUsage } from '../kit/refusal.ts';

const problemsMax = 3;
const example = '{"columns": {"Email": {"rule": "fill_empty"}, "Phone": {"rule": "never"}}}';

/** The JSON of a file. Throws bad usage if it is not JSON. */
function parseJson(call: Call, path: string): unknown {
  try {
    return JSON.parse(readTextFile(call, path));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badUsage(`--overwrite ${path} is not JSON (${error.message}). An example: ${example}`);
  }
}

/** The rules of --overwrite, null without it. Throws bad usage with the path of a problem. */
export function readOverwriteRules(call: Call): Overwrite | null {
  const path = readOption(call, 'overwrite');
  if (path === undefined) return null;
  try {
    return parseWith(OverwriteSchema, parseJson(call, path), '', problemsMax);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw badUsage(`--overwrite ${path}: ${error.message}`);
  }
}
