// An index of the directory in the form in which threads pass it to each other.

export interface BuiltIndex {
  readonly buffer: SharedArrayBuffer;
  readonly generation: number;
}
