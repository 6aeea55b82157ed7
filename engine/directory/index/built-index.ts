/** An index of the directory in the form in which threads pass it to each other. */

/** An index of the directory and the generation that it was built from. */
export interface BuiltIndex {
  readonly buffer: SharedArrayBuffer;
  readonly generation: number;
}
