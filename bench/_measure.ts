import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median } from '../src/statistics/index.js'

const isTiny = process.argv.includes('--tiny')

/** A size of a bench: with `npm run bench -- --tiny` the small one, which only shows that every bench runs. */
export function size(full: number, tiny: number): number {
  return isTiny ? tiny : full
}

/** The items of a list, or the first of it in a tiny bench. */
export function few<Item>(all: readonly Item[]): readonly Item[] {
  return all.slice(0, size(all.length, 1))
}

/** How much is done in a second of processor time, so that other work on the machine does not count. */
export function perSecond(work: () => number): number {
  const before = process.cpuUsage()
  const done = work()
  const { user, system } = process.cpuUsage(before)
  return (done / (user + system)) * 1e6
}

/** Milliseconds that a piece of work takes, the median of some times after a tenth as many to warm up. */
export async function medianMs(times: number, work: () => unknown): Promise<number> {
  const taken: number[] = []
  for (let time = -Math.ceil(times / 10); time < times; time++) {
    const begun = performance.now()
    await work()
    if (time >= 0) taken.push(performance.now() - begun)
  }
  return median(taken)!
}

/** A whole number with separators. */
export const thousands = (number: number): string => Math.round(number).toLocaleString('en')

/** A time in the unit that suits it. */
export const timeText = (milliseconds: number): string =>
  milliseconds < 1 ? `${(milliseconds * 1000).toFixed(1)} µs` : `${milliseconds.toFixed(1)} ms`

/** A folder of data beside this checkout, from bench/ or dist/bench/; undefined where it is absent. */
export function dataBeside(path: string): string | undefined {
  return ['../../shared/data', '../../../shared/data']
    .map((folder) => fileURLToPath(new URL(`${folder}/${path}`, import.meta.url)))
    .find((folder) => existsSync(folder))
}
