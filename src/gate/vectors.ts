/** The outcomes of one task, by seed: 1, 0 or null for success, 0 to 1 or null for progress. */
export interface TaskVector {
  readonly success: readonly (0 | 1 | null)[]
  readonly progress: readonly (number | null)[]
}

/**
 * The outcomes of one task as text: a sign for each seed, a group for each temperature. `1` is a success with full
 * progress, `0` a failure without any, `x` no measurement. Any other progress is in parentheses for a failure and in
 * brackets for a success: `1101x (1/3)0[2/3]11`. A progress that is a fraction of small whole numbers is written as a
 * fraction; every text reads back to the same number.
 */
export function spellVector(cells: readonly TaskVector[]): string {
  return cells
    .map(({ success, progress }) => success.map((value, place) => spellOne(value, progress[place]!)).join(''))
    .join(' ')
}

function spellOne(success: 0 | 1 | null, progress: number | null): string {
  if (success === null || progress === null) return 'x'
  if (success === progress) return String(success)
  return success === 1 ? `[${spellProgress(progress)}]` : `(${spellProgress(progress)})`
}

const maxDenominator = 100

function spellProgress(progress: number): string {
  const plain = String(progress)
  if (plain.length <= 5) return plain
  for (let denominator = 3; denominator <= maxDenominator; denominator++) {
    const numerator = Math.round(progress * denominator)
    if (numerator / denominator === progress) return `${String(numerator)}/${String(denominator)}`
  }
  return plain
}

const sign = /1|0|x|([([])(?:(\d{1,3})\/(\d{1,3})|(\d(?:\.\d{1,25})?(?:e-\d{1,3})?))([)\]])/y

/**
 * Reads the text of {@link spellVector}, with `seeds[t]` signs for the temperature at place t. Returns a message, which
 * begins after `expected`, where the text is wrong.
 */
export function readVector(text: string, seeds: readonly number[]): readonly TaskVector[] | string {
  const groups = text.split(' ')
  if (groups.length !== seeds.length) {
    return `${String(seeds.length)} groups of signs, one for each temperature, got ${String(groups.length)}`
  }
  const vectors: TaskVector[] = []
  for (const [place, group] of groups.entries()) {
    const read = readGroup(group)
    if (read === undefined) {
      return `signs 1, 0, x, or a progress from 0 to 1 in parentheses or brackets, got '${group.slice(0, 60)}'`
    }
    if (read.success.length !== seeds[place]) {
      return `${String(seeds[place])} signs in each group, one for each seed, got ${String(read.success.length)}`
    }
    vectors.push(read)
  }
  return vectors
}

function readGroup(group: string): TaskVector | undefined {
  const success: (0 | 1 | null)[] = []
  const progress: (number | null)[] = []
  for (sign.lastIndex = 0; sign.lastIndex < group.length;) {
    const match = sign.exec(group)
    if (match === null) return undefined
    const [all, left, numerator, denominator, decimal, right] = match
    if ((left === '[') !== (right === ']')) return undefined
    const value =
      all === 'x' ? null : numerator === undefined ? Number(decimal ?? all) : Number(numerator) / Number(denominator)
    if (value !== null && !(value >= 0 && value <= 1)) return undefined
    success.push(all === 'x' ? null : all === '1' || left === '[' ? 1 : 0)
    progress.push(value)
  }
  return { success, progress }
}
