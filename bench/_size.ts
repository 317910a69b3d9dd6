const isTiny = process.argv.includes('--tiny')

/** A size of a bench: with `npm run bench -- --tiny` the small one, which only shows that every bench runs. */
export function size(full: number, tiny: number): number {
  return isTiny ? tiny : full
}
