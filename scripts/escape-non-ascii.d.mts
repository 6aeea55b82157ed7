/** JavaScript in ASCII with the same meaning, but for the raw text of tagged templates. */
export function escapeNonAscii(code: string): string;
