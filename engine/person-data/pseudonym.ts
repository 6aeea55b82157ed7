// What replaces the values of a deleted person.
import { randomUUID } from 'node:crypto';

const prefix = '00000000-0000-4000-8';

/**
 * A UUID for a deleted person, random apart from its beginning. The triggers of engine.db accept
 * it where a person's UUID never changes otherwise.
 */
export const createPseudonym = (): string => prefix + randomUUID().slice(prefix.length);

export const isPseudonym = (uuid: string): boolean => uuid.startsWith(prefix);
