/** Remarks on the lines of a file: one of each kind in full, the others on request. */
import { showCount } from './numbers.ts';

interface Remark {
  readonly file?: string;
  readonly line: number | null;
  readonly column?: string | undefined;
  readonly message: string;
}

/** The remarks that differ in the value alone, such as those about the phones of a column. */
export const groupRemarks = <Given extends Remark>(
  remarks: readonly Given[],
): (readonly Given[])[] => [
  ...Map.groupBy(remarks, ({ file, column, message }) =>
    JSON.stringify([file, column, message.replace(/"(?:[^"\\]|\\.)*"|\d+/g, '')]),
  ).values(),
];

const remarksShown = 50;

/** The other remarks of a kind, folded; nothing without any. */
export function MoreRemarks({ remarks }: { remarks: readonly Remark[] }) {
  if (remarks.length === 0) return null;
  return (
    <details>
      <summary>{showCount(remarks.length)} more like it</summary>
      {remarks.slice(0, remarksShown).map(({ line, message }) => (
        <div key={`${line}:${message}`}>
          {line !== null && `Line ${showCount(line)}: `}
          {message}
        </div>
      ))}
      {remarks.length > remarksShown && (
        <div>and {showCount(remarks.length - remarksShown)} more</div>
      )}
    </details>
  );
}
