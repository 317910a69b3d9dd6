import * as z from 'zod'
import { packagedData } from '../../files/packaged.js'

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
