// A decoded table in its own folder.

/** A decoded table in its own folder (input.csv and its offset index). */
export interface PreparedInput {
  readonly dir: string;
  readonly headers: readonly string[];
  readonly rowCount: number;
  /** SHA-256 of the canonical rows, lower-case hex. */
  readonly sha256: string;
}
