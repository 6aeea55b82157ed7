/** The command that helps after an error of the engine; null if the error says everything. */
export function suggestCommand(error: string, port?: number): string | null;
/** The port for a start that names none, as a text. */
export function findPort(usual?: number): Promise<string>;
