/** The command that helps after an error of the engine; null if the error says everything. */
export function suggestCommand(error: string, port?: number): string | null;
