import type { ShownMessage } from '../packed.js'
import { wordsOf } from './word-difference.js'

/** Lines of two prompts beside each other; one of them may be missing. */
export interface LinePair {
  readonly left?: string
  readonly right?: string
}

/** Two messages at the same place of two prompts, line by line. */
export interface MessagePair {
  readonly role: string
  readonly lines: readonly LinePair[]
}

/** Compares two prompts, message by message and line by line. */
export function comparePrompts(left: readonly ShownMessage[], right: readonly ShownMessage[]): MessagePair[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const [one, other] = [left[at], right[at]]
    const roles = [...new Set([one?.role, other?.role].filter((role) => role !== undefined))]
    return { role: roles.join(' / '), lines: pairLines(linesOf(one), linesOf(other)) }
  })
}

function linesOf(message: ShownMessage | undefined): string[] {
  return message === undefined ? [] : message.content.split('\n')
}

/** Prompts whose table would be larger are compared line by line in order. */
const maxLinePairs = 1_000_000

/** Pairs equal lines by their longest common subsequence, and the lines between them in order. */
function pairLines(left: readonly string[], right: readonly string[]): LinePair[] {
  const pairs: LinePair[] = []
  const between = (leftEnd: number, rightEnd: number): void => {
    while (row < leftEnd || column < rightEnd) {
      pairs.push({
        ...(row < leftEnd && { left: left[row++]! }),
        ...(column < rightEnd && { right: right[column++]! }),
      })
    }
  }
  let [row, column] = [0, 0]
  for (const { leftAt, rightAt } of commonLines(left, right)) {
    between(leftAt, rightAt)
    pairs.push({ left: left[row++]!, right: right[column++]! })
  }
  between(left.length, right.length)
  return pairs
}

function commonLines(left: readonly string[], right: readonly string[]): { leftAt: number; rightAt: number }[] {
  const width = right.length + 1
  if ((left.length + 1) * width > maxLinePairs) return []
  const lengths = new Uint32Array((left.length + 1) * width)
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const at = row * width + column
      lengths[at] =
        left[row] === right[column] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!)
    }
  }
  const common: { leftAt: number; rightAt: number }[] = []
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    const at = row * width + column
    if (left[row] === right[column]) common.push({ leftAt: row++, rightAt: column++ })
    else if (lengths[at + width]! >= lengths[at + 1]!) row++
    else column++
  }
  return common
}

/** Words of the clean prompt and those that stand in their place in the perturbed one. */
export interface Rewording {
  readonly before: string
  readonly after: string
}

const maxRewording = 60

/** The different short passages in which the lines of two prompts differ, in order. */
export function rewordingsOf(messages: readonly MessagePair[]): Rewording[] {
  const found = new Map<string, Rewording>()
  for (const { left, right } of messages.flatMap(({ lines }) => lines)) {
    if (left === undefined || right === undefined || left === right) continue
    const [one, other] = [wordsOf(left), wordsOf(right)]
    let start = 0
    while (start < one.length && one[start] === other[start]) start++
    let end = 0
    while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
    const [before, after] = [one, other].map((words) =>
      words
        .slice(start, words.length - end)
        .join('')
        .trim(),
    )
    if (before === '' || after === '' || Math.max(before!.length, after!.length) > maxRewording) continue
    found.set(JSON.stringify([before, after]), { before: before!, after: after! })
  }
  return [...found.values()]
}
