// Remarks on the lines of a file: one of each kind in full, the others on request.
import type { LineRemark } from '../../engine/contract/reading/group-remarks.ts';
import { showCount } from './numbers.ts';

const remarksShown = 50;

/** The other remarks of a kind, folded; nothing without any. */
export function MoreRemarks({ remarks }: { remarks: readonly LineRemark[] }) {
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
