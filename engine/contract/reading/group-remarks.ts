// Groups remarks on the lines of a file by what they say.

export interface LineRemark {
  readonly file?: string;
  readonly line: number | null;
  readonly column?: string | undefined;
  readonly message: string;
}

/** The remarks that differ in the value alone, such as those about the phones of a column. */
export const groupRemarks = <Given extends LineRemark>(
  remarks: readonly Given[],
): (readonly Given[])[] => [
  ...Map.groupBy(remarks, ({ file, column, message }) =>
    JSON.stringify([file, column, message.replace(/"(?:[^"\\]|\\.)*"|\S+@\S+|\d+/g, '')]),
  ).values(),
];
