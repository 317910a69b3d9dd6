import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { vocabularies } from '../../perturbations/vocabulary/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { type Environment, createRandom, parseTemplate, perturb, textOf } from '../../src/index.js'
import { settingsToCheck } from '../../src/laws/survey.js'
import { parseCondition } from '../../src/run/conditions.js'
import { outcomes } from '../laws/describe.js'

const families = perturbations.filter(
  ({ environment, promise, takesCondition }) => environment === undefined && promise !== 'identity' && !takesCondition,
)

const environments = {
  household: await openEnvironment('household'),
  babyai: await openEnvironment('babyai'),
  pddl: await openEnvironment('pddl'),
  hotpotqa: await openEnvironment('hotpotqa'),
  jericho: await openEnvironment('jericho'),
  scripted: await openEnvironment('scripted'),
} as const
const kinds = Object.keys(environments) as (keyof typeof environments)[]

/** One task, or one of two PDDL games; `shaketable validate --tasks all` takes all of them. */
function tasksOf({ name, tasks }: Environment) {
  // Its solution reads a list of similar titles.
  if (name === 'hotpotqa') return tasks.filter(({ goal }) => goal.includes('Serrin'))
  const chosen: Readonly<Record<string, readonly string[]>> = {
    pddl: ['gripper/0', 'barman/0'],
    jericho: ['prism'],
    scripted: ['breakfast'],
  }
  return chosen[name] === undefined ? tasks.slice(20, 21) : tasks.filter(({ id }) => chosen[name]!.includes(id))
}

/**
 * What has nothing to change: no such items, forms or lists, or no fact is misstated in this task at this intensity.
 */
const unchanged = [
  /^babyai misinformation:intensity/,
  /^household action-failures:(burst=|intensity)/,
  /^pddl item-style$/,
  /^pddl item-style:intensity/,
  /^hotpotqa (?:item-(?:style|pseudo-words)|error-messages|decoy-actions)/,
  // Episodes are short, and actions are not listed.
  /^hotpotqa (?:list-visibility:shown=always|action-failures:(?:burst=3|draw=4)|(?:observation-paraphrase|dropped-feedback):intensity=0\.5)$/,
  /^jericho item-(style|pseudo-words)/,
  // Scripts have no worked examples.
  /^scripted examples/,
  / examples:of=same$/,
  // No law looks at step limits.
  / step-budget/,
  / layout:labels=as-is$/,
]

/** Families that need words which an environment does not have. */
const wordless = /^hotpotqa (?:swapped-verbs|item-synonyms|misinformation)$/

describe.each(kinds)('every family on %s', (kind) => {
  const environment = environments[kind]
  const possible = families.filter(
    ({ name, enlarges }) => !wordless.test(`${kind} ${name}`) && (!enlarges || environment.enlarge !== undefined),
  )
  it.each(possible.flatMap(settingsToCheck))('keeps its promises: %s', async (label) => {
    const { applied } = parseCondition(label, perturbations)
    const seen = await outcomes({ environment, tasks: tasksOf(environment), label: kind }, applied)
    const isIdle = unchanged.some((pattern) => pattern.test(`${kind} ${label}`))
    expect(seen.filter((one) => one !== 'unchanged')).toEqual(isIdle ? [] : ['holds'])
  })
})

describe.each(Object.entries(vocabularies))('the vocabulary of %s', (_, read) => {
  const vocabulary = read()

  it('has five wordings of each action, and no two actions have the same in a draw', () => {
    const actions = Object.entries(vocabulary.actions!)
    for (const [template, wordings] of actions) {
      expect([template, new Set(wordings).size]).toEqual([template, 5])
      for (const wording of wordings) {
        expect([...parseTemplate(wording).slots].sort()).toEqual([...parseTemplate(template).slots].sort())
      }
    }
  })

  it('has five other sentences for each, with the same slots', () => {
    const slotsOf = (text: string): readonly string[] => (text.match(/\{\w+#?\}/g) ?? []).sort()
    const { goals, observations } = vocabulary
    for (const rules of [goals!.rules, goals!.connectors ?? {}, observations!]) {
      for (const [sentence, others] of Object.entries(rules)) {
        expect([sentence, new Set(others).size >= 5]).toEqual([sentence, true])
        for (const other of others) expect([sentence, slotsOf(other)]).toEqual([sentence, slotsOf(sentence)])
      }
    }
  })
})

describe.each(kinds)('distractor-text on %s', (name) => {
  const environment = environments[name]
  const perturbation = families.find((one) => one.name === 'distractor-text')!
  const { items } = vocabularies[name]().distractors!

  it('mentions nothing of the goal in topical sentences, and its items alone in near misses, on every task', async () => {
    for (const task of environment.tasks) {
      const textsOf = async (kind: string): Promise<string> => {
        const one = { perturbation, options: { kind, times: '4' } }
        const world = await perturb(environment, [one]).begin(task, createRandom('0'))
        return textOf(world.opening).slice(textOf((await environment.begin(task, createRandom('0'))).opening).length)
      }
      const goal = task.goal.toLowerCase().split(/[^a-z0-9-]+/)
      const kinds = (text: string): string[] => items.filter((item) => new RegExp(`\\b${item}\\b`).test(text))
      expect(kinds(await textsOf('topical')).filter((item) => goal.includes(item))).toEqual([])
      const near = await textsOf('near-miss')
      expect(kinds(near).filter((item) => !goal.includes(item))).toEqual([])
      expect(near.length).toBeGreaterThan(20)
    }
  })
})

it.each([
  ['synonyms:draw=6', "takes a whole number from 1 to 5, the number of its wordings, got '6'."],
  ['symbols:draw=0', "The option 'draw' of 'symbols' takes a whole number from 1 to 999999, got '0'."],
  ['item-style:style=loud', "The option 'style' of 'item-style' takes joined or hyphen or"],
  ['placebo:draw=2', "The option 'draw' of 'placebo'"],
  ['list-order:intensity=0.5', "'list-order' is all or nothing: it takes no 'intensity'"],
  ['item-style:stile=hash', "Did you mean 'style'?"],
  ['length-matched:of=none', "'length-matched' takes a condition that changes what the environment shows, got 'none'."],
  ['length-matched:of=none', "Name another one, as in 'length-matched:of=synonyms/draw=2'."],
  ['length-matched:of=synonims', "Did you mean 'synonyms'?"],
  ['length-matched:of=synonyms/draw=9', 'takes a whole number from 1 to 5'],
  ['length-matched:of=length-matched/of=synonyms', "got 'length-matched'. Name another one"],
  ['synonyms:of=typos', "'synonyms' has no option 'of=typos'"],
])('the settings of a family %s is refused in one sentence', (text, message) => {
  expect(() => parseCondition(text, perturbations)).toThrow(message)
})
