/** Why each package is there, by what needs it. */
export const packageUses: Record<'app' | 'build' | 'work', Record<string, string>>;
