/** Delays a request whose text changes while the user types. */
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

const debounceMs = 150;

/**
 * The text once it has rested; the first one that is ready at once, because nothing is typed before
 * the screen is there.
 */
export function useSettledText(text: string, isReady: boolean): string {
  const [rested] = useDebouncedValue(text, debounceMs);
  const [first, setFirst] = useState<string | null>(isReady ? text : null);
  if (isReady && first === null) setFirst(text);
  return text === first ? text : rested;
}
