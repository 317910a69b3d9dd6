import { type Scene, createRandom, definePerturbation, ShaketableError, textOf } from '../src/define.js'
import { neutralSentences } from './_neutral.js'
import { wordsOf } from './vocabulary/index.js'

/**
 * Sentences after each observation that add no fact about the state and ask for nothing. `kind` is what they are about:
 * nothing here (`neutral`, in every environment), things of such environments in general (`topical`), or the items of
 * the goal, in the past and in another place (`near-miss`). Intensity 1 adds `times` as many characters as the
 * observation has.
 */
export default definePerturbation({
  name: 'distractor-text',
  version: '2',
  summary: 'sentences after each observation that have nothing to do with the task',
  source: 'this testbed, after the redundant tool outputs of AgentNoiseBench (arXiv 2602.11348)',
  promise: 'invariant',
  touches: 'observation',
  graded: true,
  draws: Infinity,
  options: { kind: ['neutral', 'topical', 'near-miss'], times: ['1', '2', '4'] },
  open(scene) {
    const { intensity, draw, options } = scene
    const times = intensity * Number(options['times'])
    const sentences = createRandom(`distractor-text/${String(draw)}`).shuffle(sentencesOf(scene))
    return {
      text(pieces, { part, random }) {
        if (part !== 'observations') return pieces
        const length = Math.round(times * textOf(pieces).length)
        if (length === 0) return pieces
        const first = random.fork(String(draw)).int(sentences.length)
        let added = ''
        for (let next = first; added.length < length; next++) added += ` ${sentences[next % sentences.length]!}`
        return [...pieces, added]
      },
    }
  },
})

/** Without names of items: the words with a capital inside a sentence of the goal, or else its longest word. */
function topicsOf(goal: string): readonly string[] {
  const longest = (goal.match(/[\p{L}\p{N}-]+/gu) ?? [goal]).reduce((one, other) =>
    other.length > one.length ? other : one,
  )
  return [...new Set(goal.match(capitalWords) ?? [longest])]
}

const capitalWords = /(?<=[\p{L}\p{N},;:] ["'“‘]?)\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)*/gu

function sentencesOf(scene: Scene): readonly string[] {
  const { briefing, names, options } = scene
  if (options['kind'] === 'neutral') return neutralSentences
  const { items, topical, nearMiss } = wordsOf('distractor-text', 'distractors', scene)
  const goal = ` ${briefing.goal.toLowerCase().replace(/[^\p{L}\p{N}-]+/gu, ' ')} `
  const isInGoal = (item: string): boolean => goal.includes(` ${item} `)
  const fill = (sentences: readonly string[], fillings: readonly string[]): readonly string[] =>
    sentences.flatMap((sentence) =>
      fillings.map((item) => sentence.replace('{item}', item).replace(/\b([Aa]) (?=[aeiou])/g, '$1n ')),
    )
  if (options['kind'] === 'topical')
    return fill(
      topical,
      items.filter((item) => !isInGoal(item)),
    )
  if (names.length === 0) return fill(nearMiss, topicsOf(briefing.goal))
  const spellings = [names, names.map((name) => name.replace(/ \d+$/, '')), items]
  const wanted = spellings.map((known) => [...new Set(known)].filter(isInGoal)).find((spelled) => spelled.length > 0)
  if (wanted !== undefined) return fill(nearMiss, wanted)
  throw new ShaketableError(
    'perturbation',
    `'distractor-text:kind=near-miss' found no item of the episode in its goal: '${briefing.goal.slice(0, 200)}'. Use kind=topical or kind=neutral.`,
  )
}
