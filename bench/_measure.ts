const isTiny = process.argv.includes('--tiny')

/** A size of a bench: with `npm run bench -- --tiny` the small one, which only shows that every bench runs. */
export function size(full: number, tiny: number): number {
  return isTiny ? tiny : full
}

/** The items of a list, or the first of it in a tiny bench. */
export function few<Item>(all: readonly Item[]): readonly Item[] {
  return all.slice(0, size(all.length, 1))
}

/** A whole number with separators. */
export const thousands = (number: number): string => Math.round(number).toLocaleString('en')
