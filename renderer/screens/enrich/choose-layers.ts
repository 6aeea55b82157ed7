/**
 * Selects and clears layers. Layers require each other, so a click may change others, which is
 * explained.
 */
import {
  type LayerCode,
  layerByCode,
  layerCodes,
  nameLayer,
} from '../../../engine/contract/jobs/layers.ts';

function join(codes: readonly LayerCode[]): string {
  const names = codes.map(nameLayer);
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : `${names[0]}`;
}

const explain = (need: string, codes: readonly LayerCode[], what: string): string =>
  `${need}, so ${codes.length > 1 ? 'they were' : 'it was'} ${what} too.`;

/**
 * Returns the selection after a click on `code`, in table order, and a sentence that explains it.
 */
export function toggleLayer(
  selection: readonly LayerCode[],
  code: LayerCode,
): { selection: LayerCode[]; layerNote: string | null } {
  const { requires } = layerByCode[code];
  const inOrder = (codes: Iterable<LayerCode>) => {
    const wanted = new Set(codes);
    return layerCodes.filter((each) => wanted.has(each));
  };
  if (selection.includes(code)) {
    const leaving = selection.filter((each) => layerByCode[each].requires.includes(code));
    return {
      selection: selection.filter((each) => each !== code && !leaving.includes(each)),
      layerNote: leaving.length
        ? explain(
            `${join(leaving)} ${leaving.length > 1 ? 'need' : 'needs'} ${nameLayer(code)}`,
            leaving,
            'removed',
          )
        : null,
    };
  }
  const coming = requires.filter((each) => !selection.includes(each));
  return {
    selection: inOrder([...selection, code, ...coming]),
    layerNote: coming.length
      ? explain(`${nameLayer(code)} needs ${join(coming)}`, coming, 'added')
      : null,
  };
}
