import * as z from 'zod'
import type { Enlargement } from '../../core/environment.js'
import { createRandom } from '../../core/random.js'
import { packagedData } from '../../files/packaged.js'
import type { Page } from './page-index.js'

const ownQuestion = z.strictObject({
  type: z.enum(['bridge', 'comparison']),
  question: z.string(),
  answer: z.string(),
  /** The actions before `finish` that lead to the answer. */
  evidence: z.array(z.string()),
})
/** A question about the pages of our own. */
export type OwnQuestion = z.infer<typeof ownQuestion>

const folder = 'src/environments/hotpotqa'
const pages = z.array(z.strictObject({ title: z.string(), text: z.string() }))

/** Pages about people and places that do not exist, so that no model knows the answers. */
export const ownPages = packagedData(`${folder}/pages.jsonl`, pages)

/** Sixty questions about them; each needs two pages or more. */
export const ownQuestions = packagedData(`${folder}/questions.jsonl`, z.array(ownQuestion))

/** Worked examples, and the pages that they are played on; no task is about these. */
export const ownExamples = packagedData(
  `${folder}/examples.yaml`,
  z.strictObject({
    pages,
    examples: z.array(z.strictObject({ question: z.string(), answer: z.string(), actions: z.array(z.string()) })),
  }),
)

/** Things that are called after something else. */
const things: readonly (readonly [kind: string, sentences: string])[] = [
  ['rose', 'It flowers twice a year. It has a faint scent. Gardeners grow it against walls.'],
  ['typeface', 'It has narrow capitals. It was used for labels. A digital version is sold.'],
  ['racehorse', 'It never won a race. Its owner sold it early. It lived to a great age.'],
  ['locomotive', 'It pulled goods trains. It was painted green. It was scrapped after a collision with a cart.'],
  ['song', 'It has two verses. Its tune is older than its words. It is sung at fairs.'],
  ['card game', 'It is played in pairs. A round is short. Its rules differ from place to place.'],
  ['cheese', 'It ripens in straw. It has a hard rind. It is eaten with pears.'],
  ['minor planet', 'It is dark. It turns slowly. Its orbit is known with little accuracy.'],
]

/**
 * Pages about things that have the name of another page: `Arvensk (rose)`. They come up beside the pages that are
 * looked for, and say nothing about what these are about.
 * @returns as many as the share of the pages, in an order that the seed decides
 */
export function distractorPages(pages: readonly Page[], { share, seed }: Enlargement): readonly Page[] {
  const taken = new Set(pages.map(({ title }) => title))
  const random = createRandom(seed)
  return random
    .shuffle(pages)
    .slice(0, Math.round(share * pages.length))
    .flatMap(({ title }): readonly Page[] => {
      const name = title.replace(/ \([^)]*\)$/, '')
      const [kind, sentences] = random.pick(things)
      const made = `${name} (${kind})`
      if (taken.has(made)) return []
      taken.add(made)
      return [{ title: made, text: `${name} is the name of a ${kind}. ${sentences}` }]
    })
}
