// Roman numbers in names of organisations: of funds, series and sites.

export const roman = /^(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})$/;
const romanLetters: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 };

export const valueOfRoman = (text: string): number =>
  [...text].reduce((sum, letter, at) => {
    const value = romanLetters[letter]!;
    const next = romanLetters[text[at + 1] ?? ''] ?? 0;
    return sum + (next > value ? -value : value);
  }, 0);
