/**
 * Reads the columns that say what the number or address next to them is: "Phone 1 - Label" of
 * Google, "Phone 1 Type" of Lusha.
 */
import { foldWords, isAboutOthers, readHeader } from '../../../spreadsheet/read-header.ts';

const labelled = /^(?:email|personal_email|mobile_phone|direct_phone|phone|company_phone)$/;
const labelWord = new RegExp(
  ' (?:type|label|kind|typ|art|bezeichnung|libelle|etiquette|etiqueta|rotulo|etichetta|tipo|' +
    'soort|etiket|etykieta|rodzaj|etikett|метка|тип|タイプ|ラベル|类型|标签)$',
);
const valueWord =
  / (?:value|number|address|wert|valeur|valor|valore|waarde|wartosc|varde|значение|値|值)$/;

export interface LabelledColumns {
  /** Column of a number or an address → column of its label. */
  readonly labels: ReadonlyMap<number, number>;
  /** The columns of a field in a row; those of home last. Numbers of a fax are in none. */
  placesIn(cells: readonly string[], field: string, own: readonly number[]): readonly number[];
}

/** What a label says of a value; '' if it says nothing, null if the value is of no use. */
function readLabel(label: string, noun: string): string | null {
  if (label.trim() === '') return '';
  if (isAboutOthers(label)) return null;
  const meaning = readHeader(`${label} ${noun}`);
  return meaning === null || meaning.doubt > 1 ? '' : meaning.key;
}

/**
 * @param fieldOf column → field
 * @param fieldOfKey the field for what a label says; undefined if there is none
 */
export function findLabels(
  headers: readonly string[],
  fieldOf: ReadonlyMap<number, string>,
  fieldOfKey: (key: string) => string | undefined,
): LabelledColumns {
  const folded = headers.map(foldWords);
  const labels = new Map<number, number>();
  for (const [at, field] of fieldOf) {
    const base = (folded[at] ?? '').replace(valueWord, '');
    const label = folded.findIndex(
      (name) => labelWord.test(name) && name.replace(labelWord, '') === base,
    );
    if (label >= 0 && labelled.test(field) && !fieldOf.has(label)) labels.set(at, label);
  }
  const keys = new Map<string, string | null>();
  const keyOf = (label: string, field: string): string | null => {
    const noun = field.includes('email') ? 'email' : 'phone';
    const name = `${noun} ${label}`;
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = readLabel(label, noun);
    keys.set(name, key);
    return key;
  };
  return {
    labels,
    placesIn(cells, field, own) {
      if (labels.size === 0 || !labelled.test(field)) return own;
      const first = own.filter((at) => !labels.has(at));
      const last: number[] = [];
      for (const [at, label] of labels) {
        const named = fieldOf.get(at) ?? field;
        const key = keyOf(cells[label] ?? '', named);
        if (key === null || (fieldOfKey(key) ?? named) !== field) continue;
        (key.endsWith('.private') ? last : first).push(at);
      }
      return [...first, ...last];
    },
  };
}
