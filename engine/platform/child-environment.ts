// The environment of child processes. By default a child inherits all variables.

/**
 * Names of variables with secrets, such as PGPASSWORD, which a browser would pass on for days. The
 * token of XDG_ACTIVATION_TOKEN lets a window come to the front.
 */
const secretNames = /passw|secret|(?<!activation_)token|credential|api_?key|private_?key/i;

/** The variables that a child may see: all but those whose names say that they are secret. */
export const childEnvironment = (
  environment: NodeJS.ProcessEnv = process.env,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !secretNames.test(entry[0]),
    ),
  );
