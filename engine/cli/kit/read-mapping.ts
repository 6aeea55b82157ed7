/** Reads the file of --mapping: a JSON object of field → header. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Call, readOption } from './command.ts';
import { badUsage } from './refusal.ts';

const MappingFileSchema = z.record(z.string(), z.string().min(1));

/** The mapping of --mapping FILE, undefined without one. Throws bad usage where it is none. */
export function readMappingFile(call: Call): Record<string, string> | undefined {
  const option = readOption(call, 'mapping');
  if (option === undefined) return undefined;
  const path = call.resolvePath(option);
  const example = 'Write a JSON object of field and header, such as {"email": "Work Email"}';
  try {
    const found = MappingFileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    if (found.success) return found.data;
  } catch (error) {
    throw badUsage(`--mapping ${path} cannot be read (${(error as Error).message}). ${example}.`);
  }
  throw badUsage(`--mapping ${path} is no mapping. ${example}.`);
}
