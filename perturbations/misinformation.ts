import { type Random, type Scene, definePerturbation, parseTemplate } from '../src/define.js'
import { wordsOf } from './vocabulary/index.js'

/** A kind of sentence with a fact in it. */
interface Rule {
  readonly pattern: RegExp
  readonly groups: readonly (readonly string[])[]
}

/**
 * Observations with one false fact each: an item that is on a receptacle is not listed, an object is said to be on the
 * other side, a block on another block. The state is as it was. A second look gives the truth: each subject is
 * misstated once an episode, and an observation after a false one is never false. Intensity is the share of every other
 * observation, up to `max` false facts an episode; the opening is always true.
 */
export default definePerturbation({
  name: 'misinformation',
  summary: 'some observations state a false fact; a second look gives the truth',
  source: 'this testbed, after the erroneous tool results of AgentNoiseBench (arXiv 2602.11348) and AVER (tau2-bench)',
  promise: 'harder',
  touches: 'observation',
  adversarial: true,
  graded: true,
  draws: Infinity,
  options: { max: ['5', '3', '10'] },
  open(scene) {
    const { names, intensity, draw, options } = scene
    const rules = rulesOf(scene)
    const told = new Set<string>()
    return {
      text(pieces, { part, turn, random }) {
        if (part !== 'observations') return pieces
        const fork = random.fork(`draw ${String(draw)}`)
        const isDue =
          turn > 0 && (turn + draw) % 2 === 0 && fork.next() < intensity && told.size < Number(options['max'])
        if (!isDue) return pieces
        const choices = pieces.flatMap((piece, place) =>
          typeof piece === 'string' ? falsehoods(piece, rules, names, fork).map((lie) => ({ place, ...lie })) : [],
        )
        const fresh = choices.filter(({ subject }) => !told.has(subject))
        if (fresh.length === 0) return pieces
        const { subject, place, text } = fork.pick(fresh)
        told.add(subject)
        return pieces.map((piece, index) => (index === place ? text : piece))
      },
    }
  },
})

/** Texts with a longer part without a full stop state no facts: the time of a search grows with its square. */
const endless = /[^.]{2001}/

const named = new Set(['subject', 'false', 'list'])

function rulesOf(scene: Scene): readonly Rule[] {
  return Object.entries(wordsOf('misinformation', 'facts', scene)).map(([template, groups]) => {
    const { literals, slots } = parseTemplate(template)
    const source = literals.map((literal, index) => {
      const slot = slots[index]
      const value = slot === undefined ? '' : named.has(slot) ? `(?<${slot}>[^\\s.,][^.]*?)` : '[^.]+?'
      return literal.replace(/[\^$.*+?()[\]|/-]/g, '\\$&') + value
    })
    return { pattern: new RegExp(`(?=\\S)(?<=^|[.!?:\\n]\\s*)${source.join('')}`, 'dgu'), groups }
  })
}

/** The text with a false sentence in place of each true one, one at a time. */
function falsehoods(
  text: string,
  rules: readonly Rule[],
  names: readonly string[],
  random: Random,
): readonly { readonly subject: string; readonly text: string }[] {
  if (endless.test(text)) return []
  return rules.flatMap(({ pattern, groups }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const { subject = '', false: word, list } = match.groups!
      const other = list === undefined ? otherWord(word!, subject, groups, names, random) : without(list, random)
      if (other === undefined) return []
      const [start, end] = match.indices!.groups![list === undefined ? 'false' : 'list']!
      return [{ subject: subject.toLowerCase(), text: text.slice(0, start) + other + text.slice(end) }]
    }),
  )
}

/** Another word of the same group, or another item of the same kind; undefined where there is none. */
function otherWord(
  word: string,
  subject: string,
  groups: readonly (readonly string[])[],
  names: readonly string[],
  random: Random,
): string | undefined {
  const group = groups.find((words) => words.includes(word))
  const kindOf = (name: string): string => name.replace(/\d+$/, '')
  const others = group ?? (names.includes(word) ? names.filter((name) => kindOf(name) === kindOf(word)) : [])
  const fitting = others.filter((other) => other !== word && other !== subject.toLowerCase())
  return fitting.length === 0 ? undefined : random.pick(fitting)
}

/** A list of items in words without one of them; `nothing` in place of the last. */
function without(list: string, random: Random): string | undefined {
  const items = list.split(/, (?:and )?/)
  if (list === 'nothing') return undefined
  const left = items.toSpliced(random.int(items.length), 1)
  if (left.length === 0) return 'nothing'
  return left.length === 1 ? left[0] : `${left.slice(0, -1).join(', ')}, and ${left.at(-1)!}`
}
