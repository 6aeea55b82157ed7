// Limits of the team configuration.

/** The longest name of an organisation. */
export const organisationCharactersMax = 80;

/** The largest file of rules, in bytes. */
export const ruleFileBytesMax = 262_144;

/** How long a system program may take to read managed rules. */
export const managedRulesMaxMs = 5_000;
