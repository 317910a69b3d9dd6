/** A run of words that is in both texts, or only in this one. */
export interface WordRun {
  readonly text: string
  readonly own: boolean
}

/**
 * Splits two texts into runs of words that they share and runs that only one has, by their longest common subsequence
 * of words; undefined if they are too long for that.
 */
export function wordDifference(one: string, other: string): readonly [WordRun[], WordRun[]] | undefined {
  const [left, right] = [wordsOf(one), wordsOf(other)]
  if (left.length * right.length > maxPairs) return undefined
  const width = right.length + 1
  const common = new Uint16Array((left.length + 1) * width)
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const at = row * width + column
      common[at] =
        left[row] === right[column]
          ? common[at + width + 1]! + weightOf(left[row]!)
          : Math.max(common[at + width]!, common[at + 1]!)
    }
  }
  const shared = { left: new Set<number>(), right: new Set<number>() }
  let [row, column] = [0, 0]
  while (row < left.length && column < right.length) {
    const at = row * width + column
    if (left[row] === right[column]) {
      shared.left.add(row++)
      shared.right.add(column++)
    } else if (common[at + width]! >= common[at + 1]!) row++
    else column++
  }
  return [runsOf(left, shared.left), runsOf(right, shared.right)]
}

const maxPairs = 250_000

/** Words weigh more than the spaces between them, so that they stay together. */
function weightOf(word: string): number {
  return /^\s/.test(word) ? 1 : 4
}

/** Words (`{obj}` is one), spaces and other characters, which together are the text. */
export function wordsOf(text: string): string[] {
  return text.match(/\{[\p{L}\p{N}_]+\}|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

function runsOf(words: readonly string[], shared: ReadonlySet<number>): WordRun[] {
  const runs: { text: string; own: boolean }[] = []
  words.forEach((word, index) => {
    const own = !shared.has(index)
    const last = runs.at(-1)
    if (last?.own === own) last.text += word
    else runs.push({ text: word, own })
  })
  return runs
}
