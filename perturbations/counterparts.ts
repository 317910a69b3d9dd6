import * as z from 'zod'
import type { Perturbation, Scene, Vocabulary } from '../src/define.js'
import { definePerturbation, renameItems, rewordActions } from '../src/define.js'
import { packagedData } from '../src/files/packaged.js'
import { drawWording } from './_forms.js'
import { vocabularies } from './vocabulary/index.js'

/** counterparts.yaml says what its keys mean. */
const row = z.strictObject({
  summary: z.string(),
  kind: z.string().optional(),
  words: z.array(z.string()).default([]),
  verbs: z.array(z.string()).default([]),
  orders: z.boolean().default(false),
  hyphens: z.string().optional(),
})
const rows = packagedData('perturbations/counterparts.yaml', z.record(z.string(), row))

/** What the numbers stand for. Numbers 1 to 4 are AgentRefine's own. */
const kinds: Readonly<Record<string, string>> = {
  1: "perturbation 1: another token in an action's wording",
  2: 'perturbation 2: another verb for walking',
  3: 'perturbation 3: the same tokens in another order',
  4: 'perturbation 4: item names without spaces',
  5: 'perturbations 1 and 2: other tokens, the same meaning',
}

/** `babyai-1` to `babyai-5`, and the same of `pddl`, `scienceworld` and `jericho`. */
export const counterparts: readonly Perturbation[] = Object.entries(rows()).map(([name, row]) => {
  const [environment, number] = name.split('-') as [keyof typeof vocabularies, string]
  const { summary, kind = kinds[number]!, hyphens } = row
  const open =
    hyphens === undefined
      ? (scene: Scene) => rewordActions(rulesOf(row, vocabularies[environment](), scene))
      : () => hyphenate(new RegExp(hyphens))
  return definePerturbation({
    ...{ name, summary, source: `this testbed, after AgentRefine's ${kind}`, open, environment },
    promise: 'invariant',
    ...(number !== '5' && { counterpartOf: `agentrefine-${number}` }),
  })
})

function rulesOf(
  { words, verbs, orders }: z.infer<typeof row>,
  vocabulary: Vocabulary,
  scene: Scene,
): Readonly<Record<string, string>> {
  if (orders) return vocabulary.orders!
  const actions = vocabulary.actions!
  const templates = Object.keys(actions).filter(
    // AgentBoard's prompt file of text adventures has some forms with a capital letter too.
    (word) => words.includes(word) || words.includes(word[0]!.toLowerCase() + word.slice(1)) || hasOneOf(word, verbs),
  )
  return Object.fromEntries(
    templates.map((template) => [template, drawWording(scene, template, actions[template]!, 1)]),
  )
}

function hasOneOf(template: string, verbs: readonly string[]): boolean {
  return template.split(' ').some((word) => verbs.includes(word.toLowerCase()))
}

/** Hyphens in item names, as `item-style:style=hyphen` has them. */
function hyphenate(isItem: RegExp) {
  const hyphened = (name: string): string => name.replaceAll(' ', '-').replace(/(?<=\p{L})(?=\d+$)/u, '-')
  return renameItems((name) => (isItem.test(name) ? hyphened(name) : name))
}
