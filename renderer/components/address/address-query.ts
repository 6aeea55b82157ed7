// Filters of a screen in the address: a link, a reload and Back keep them.
import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** The texts of a query by name; '' for one that the address does not have. */
type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** The texts in the address, and the function that changes some of them. '' removes one. */
export function useAddressQuery<Name extends string>(
  names: readonly Name[],
): [Texts<Name>, (change: Partial<Texts<Name>>) => void] {
  const query = useSearch();
  const [path, navigate] = useLocation();
  const list = names.join();
  const texts = useMemo(() => {
    const found = new URLSearchParams(query);
    const all = list.split(',').map((name) => [name, found.get(name) ?? '']);
    return Object.fromEntries(all) as Texts<Name>;
  }, [query, list]);
  const change = useCallback(
    (part: Partial<Texts<Name>>) => {
      // Others in the address belong to other parts of the screen.
      const next = new URLSearchParams(query);
      for (const [name, text] of Object.entries(part))
        if (text === '') next.delete(name);
        else next.set(name, String(text));
      const text = next.toString();
      navigate(text === '' ? path : `${path}?${text}`, { replace: true });
    },
    [query, path, navigate],
  );
  return [texts, change];
}

/** The text if it is one of the choices; otherwise null. */
export const oneOf = <Choice extends string>(
  choices: readonly Choice[],
  text: string,
): Choice | null => choices.find((choice) => choice === text) ?? null;
