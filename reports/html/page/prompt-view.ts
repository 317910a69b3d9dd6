import type { Part } from './dom.js'
import { folded, longText, make, number } from './dom.js'
import type { LinePair, MessagePair } from './prompt-difference.js'
import { markedRuns } from './step-view.js'
import type { WordRun } from './word-difference.js'
import { wordDifference } from './word-difference.js'

/** Unchanged lines that are shown before and after a changed one; a longer unchanged passage is folded. */
const contextLines = 1

/** The prompts of two episodes as a comparison, folded. */
export function promptComparison(messages: readonly MessagePair[]): Part {
  const lines = messages.flatMap((message) => message.lines)
  const changed = lines.filter(({ left, right }) => left !== right).length
  const title =
    changed === 0
      ? 'Prompt: the same in both'
      : `Prompt: ${number(changed)} of ${number(lines.length)} lines differ from the clean twin`
  const body = messages.map(({ role, lines }) =>
    make('div', {}, make('span', { class: 'label' }, role), passages(lines)),
  )
  const details = folded(title, body)
  details.classList.add('prompt-comparison')
  return details
}

function passages(lines: readonly LinePair[]): Part {
  const parts: Part[] = []
  for (let at = 0; at < lines.length;) {
    const isSame = lines[at]!.left === lines[at]!.right
    let end = at + 1
    while (end < lines.length && (lines[end]!.left === lines[end]!.right) === isSame) end++
    const passage = lines.slice(at, end)
    parts.push(isSame ? unchanged(passage, at === 0, end === lines.length) : passage.map(changedLine))
    at = end
  }
  return parts
}

function unchanged(lines: readonly LinePair[], isFirst: boolean, isLast: boolean): Part {
  const texts = lines.map(({ left = '' }) => left)
  const [before, after] = [isFirst ? 0 : contextLines, isLast ? 0 : contextLines]
  const hidden = texts.slice(before, texts.length - after)
  if (hidden.length < 2) return plain(texts)
  return [
    plain(texts.slice(0, before)),
    folded(`${number(hidden.length)} unchanged lines`, plain(hidden)),
    plain(texts.slice(texts.length - after)),
  ]
}

function plain(lines: readonly string[]): Part {
  return lines.length > 0 && longText(lines.join('\n'))
}

function changedLine({ left, right }: LinePair): Part {
  const [leftRuns, rightRuns] = (left !== undefined && right !== undefined && wordDifference(left, right)) || []
  return make(
    'div',
    { class: 'sides pair changed' },
    lineSide('clean', left, leftRuns),
    lineSide('perturbed', right, rightRuns),
  )
}

/** One side of a changed line; without runs all of it is different. */
function lineSide(side: string, text: string | undefined, runs: readonly WordRun[] | undefined): Part {
  if (text === undefined) return make('div', { class: 'absent' })
  const line =
    runs === undefined
      ? longText(text, { class: 'own' })
      : make('div', { class: 'text', dir: 'auto' }, markedRuns(runs))
  return make('div', {}, make('span', { class: 'which' }, side), line)
}
