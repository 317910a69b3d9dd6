import { diffArrays } from 'diff'
import type { ShownMessage, ShownStep } from '../packed.js'

/** Indexes of two items beside each other; one of them may be missing. */
interface Pair {
  readonly left?: number
  readonly right?: number
}

/** Longer lists of changes are not looked for, since that takes long. */
const maxEditLength = 1000

/** Pairs the items that two lists have in common, in order, and the items between them in order. */
function pairUp<Item>(
  left: readonly Item[],
  right: readonly Item[],
  comparator: (left: Item, right: Item) => boolean,
): Pair[] {
  const parts = diffArrays([...left], [...right], { comparator, maxEditLength }) ?? [
    { count: left.length, removed: true, added: false },
    { count: right.length, removed: false, added: true },
  ]
  const pairs: Pair[] = []
  const item = { left: 0, right: 0 }
  const row = { left: 0, right: 0 }
  for (const { count, removed, added } of parts) {
    const sides = removed ? (['left'] as const) : added ? (['right'] as const) : (['left', 'right'] as const)
    if (sides.length === 2) row.left = row.right = pairs.length
    for (const side of sides)
      for (let place = 0; place < count; place++, row[side]++)
        pairs[row[side]] = { ...pairs[row[side]], [side]: item[side]++ }
  }
  return pairs
}

/** Two steps beside each other. */
interface AlignedRow extends Pair {
  /** Whether the environment received the same command and gave the same observation in both. */
  readonly same: boolean
}

/**
 * Aligns the steps of two episodes by the commands that the environment received (its own wording of an action, not the
 * agent's). The steps between two that correspond are beside each other in order, a refused action beside what the
 * other episode did instead.
 */
export function align(left: readonly ShownStep[], right: readonly ShownStep[]): AlignedRow[] {
  return pairUp(left, right, isSameCommand).map((pair) => {
    const [one, other] = [left[pair.left ?? -1], right[pair.right ?? -1]]
    const same =
      one !== undefined &&
      other !== undefined &&
      commandOf(one) !== null &&
      isSameCommand(one, other) &&
      originalOf(one) === originalOf(other)
    return { ...pair, same }
  })
}

/** The index of the first row in which the episodes differ; −1 if there is none. */
export function firstDifference(rows: readonly AlignedRow[]): number {
  return rows.findIndex(({ same }) => !same)
}

function isSameCommand(one: ShownStep, other: ShownStep): boolean {
  const command = commandOf(one)
  return command === commandOf(other) && (command !== null || one.action === other.action)
}

/** The command that the environment received; null if a perturbation refused the action. */
function commandOf({ action, command }: ShownStep): string | null {
  return command === undefined ? action : command
}

/** The observation in the environment's wording. */
function originalOf({ observation, original }: ShownStep): string {
  return original ?? observation
}

/** A run of words that is in both texts, or only in this one. */
export interface WordRun {
  readonly text: string
  readonly own: boolean
}

/**
 * Splits two texts into runs of words that they share and runs that only one has; undefined if they have too little in
 * common. Space between words does not count.
 */
export function wordDifference(one: string, other: string): readonly [WordRun[], WordRun[]] | undefined {
  const [left, right] = [wordsOf(one), wordsOf(other)]
  const comparator = (word: string, another: string): boolean => word.trim() === another.trim()
  const parts = diffArrays(left, right, { comparator, maxEditLength })
  if (parts === undefined) return undefined
  const runsOf = (words: readonly string[], other: 'added' | 'removed'): WordRun[] => {
    let at = 0
    return parts
      .filter((part) => !part[other])
      .map((part) => ({ text: words.slice(at, (at += part.count)).join(''), own: part.added || part.removed }))
  }
  return [runsOf(left, 'added'), runsOf(right, 'removed')]
}

/** Words (`{obj}` is one) and other characters, each with the space before it, which together are the text. */
function wordsOf(text: string): string[] {
  return text.match(/\s*(?:\{[\p{L}\p{N}_]+\}|[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s])|\s+$/gu) ?? []
}

/** Lines of two prompts beside each other; one of them may be missing. */
export interface LinePair {
  readonly left: string | undefined
  readonly right: string | undefined
}

/** Compares two prompts line by line, message by message. */
export function comparePrompts(left: readonly ShownMessage[], right: readonly ShownMessage[]): LinePair[] {
  return Array.from({ length: Math.max(left.length, right.length) }).flatMap((_, at) => {
    const [one, other] = [left[at], right[at]].map((side) => side?.content.split('\n') ?? []) as [string[], string[]]
    const pairs = pairUp(one, other, (line, another) => line === another)
    return pairs.map((pair) => ({ left: one[pair.left ?? -1], right: other[pair.right ?? -1] }))
  })
}
