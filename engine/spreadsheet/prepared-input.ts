/** A table that was decoded to a folder of its own. */

/** A table that was decoded to a folder of its own (input.csv and its offset index). */
export interface PreparedInput {
  readonly dir: string;
  readonly headers: readonly string[];
  readonly rowCount: number;
  /** SHA-256 of the canonical rows, lower-case hex. */
  readonly sha256: string;
}
