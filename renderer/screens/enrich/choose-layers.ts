// Selects and clears layers. They require each other, so a click may change others.
import {
  type LayerCode,
  layerByCode,
  layerCodes,
  nameLayer,
} from '../../../engine/contract/jobs/layers.ts';
import { type ColumnMapping, isOfCompanies } from '../../../engine/contract/jobs/row-input.ts';

/** Whether a layer answers for people, in a list that names companies alone. */
export const isIdle = (code: LayerCode, mapping: ColumnMapping): boolean =>
  isOfCompanies(mapping) && layerByCode[code].about === 'person';

function join(codes: readonly LayerCode[]): string {
  const names = codes.map(nameLayer);
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : `${names[0]}`;
}

const explain = (need: string, codes: readonly LayerCode[], what: string): string =>
  `${need}, so ${codes.length > 1 ? 'they were' : 'it was'} ${what} too.`;

/** A selection in table order, and a sentence that explains what was not clicked. */
interface Chosen {
  readonly selection: LayerCode[];
  readonly layerNote: string | null;
}

export function addLayers(selection: readonly LayerCode[], codes: readonly LayerCode[]): Chosen {
  const coming = codes
    .flatMap((code) => layerByCode[code].requires)
    .filter((each) => !selection.includes(each) && !codes.includes(each));
  const wanted = new Set([...selection, ...codes, ...coming]);
  const needing = codes.filter((code) =>
    layerByCode[code].requires.some((each) => coming.includes(each)),
  );
  const need = needing.length > 1 ? 'need' : 'needs';
  return {
    selection: layerCodes.filter((each) => wanted.has(each)),
    layerNote: coming.length
      ? explain(`${join(needing)} ${need} ${join(coming)}`, coming, 'added')
      : null,
  };
}

/** The selection after a click on `code`. */
export function toggleLayer(selection: readonly LayerCode[], code: LayerCode): Chosen {
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
  return addLayers(selection, [code]);
}
