// Reads the options of commands that take a list of contacts: --mapping and --title.
import { z } from 'zod';
import { type Mapping, MappingSchema, rowInputFields } from '../../contract/jobs/row-input.ts';
import { titleCharactersMax } from '../../contract/limits/jobs.ts';
import { type Call, readOption } from './command.ts';
import { readTextFile } from './read-paths.ts';
import { badUsage } from './refusal.ts';

const MappingFileSchema = z.record(z.string(), z.string().min(1));

/**
 * The object of --mapping FILE: headers by field. Undefined without the option. Throws bad usage
 * if the file cannot be read, or holds something else.
 */
export function readMappingFile(call: Call): Record<string, string> | undefined {
  const option = readOption(call, 'mapping');
  if (option === undefined) return undefined;
  const example = 'Write a JSON object of field and header, such as {"email": "Work Email"}';
  const text = readTextFile(call, option);
  try {
    const found = MappingFileSchema.safeParse(JSON.parse(text));
    if (found.success) return found.data;
  } catch (error) {
    throw badUsage(`--mapping ${option} is not JSON (${(error as Error).message}). ${example}.`);
  }
  throw badUsage(`--mapping ${option} is not a mapping. ${example}.`);
}

/** The same, by the fields of a contact. Throws bad usage if it names another field. */
export function readRowMapping(call: Call): Mapping | undefined {
  const named = readMappingFile(call);
  if (named === undefined) return undefined;
  const found = MappingSchema.safeParse(named);
  if (found.success) return found.data;
  const field = Object.keys(named).find(
    (name) => !(rowInputFields as readonly string[]).includes(name),
  );
  throw badUsage(
    `--mapping ${readOption(call, 'mapping')}: there is no field ${JSON.stringify(field)}. ` +
      `Fields are ${rowInputFields.join(', ')}.`,
  );
}

/** The text of --title, undefined without it. Throws bad usage if it is too long. */
export function readTitle(call: Call): string | undefined {
  const title = readOption(call, 'title');
  if (title !== undefined && title.length > titleCharactersMax)
    throw badUsage(`--title is longer than ${titleCharactersMax} characters. Shorten it.`);
  return title;
}
