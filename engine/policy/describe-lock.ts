// Refuses changes to what an organisation has set.
import { invalid } from '../contract/errors.ts';
import type { TeamConfig } from '../contract/team/team-config.ts';

/**
 * Throws `validation_error` for a change that a rule forbids.
 * @param what the setting, as the start of a sentence
 * @param how how the rule binds it
 */
export function refuseChange(
  { organisation = 'your organisation' }: TeamConfig,
  what: string,
  how: string,
): never {
  throw invalid(`${what}: ${how} by ${organisation.replace(/\.$/, '')}.`);
}
