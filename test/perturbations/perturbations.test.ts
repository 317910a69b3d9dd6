import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dataFilters, perturbations } from '../../perturbations/index.js'
import { createRandom, perturb, rewordActions } from '../../src/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { ownPerturbation } from '../own-perturbation.js'
import { createToy } from '../toy-environment.js'

describe('the perturbations that come with the package', () => {
  it('are all listed, each with a distinct name, a summary and a source', () => {
    const all = [...perturbations, ...dataFilters]
    const files = readdirSync(new URL('../../perturbations', import.meta.url)).filter((file) =>
      /^(?!index|counterparts|written)[a-z].*\.ts$/.test(file),
    )
    const others = all.filter(({ name }) => !/^(?:babyai|jericho|pddl|scienceworld)-\d$/.test(name))
    expect(others.map(({ name }) => `${name}.ts`).sort()).toEqual(files.sort())
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    for (const { summary, source, version } of all)
      expect([summary, source, version].every((text) => text.length > 0)).toBe(true)
  })

  it('make each promise as its definition says, and say what was reconstructed', () => {
    const promising = (promise: string): string =>
      perturbations.flatMap((one) => (one.promise === promise ? [one.name] : [])).join(' ')
    expect(promising('identity')).toBe('placebo clean-repeats')
    expect(promising('harder')).toBe(
      'pseudo-verbs swapped-verbs item-pseudo-words typos unicode truncated-observation list-visibility decoy-actions decoy-forms ' +
        'action-failures dropped-feedback step-budget misinformation distractor-objects',
    )
    for (const one of perturbations.filter(({ name }) => /^agentrefine-[123]$/.test(name)))
      expect(one.source).toContain('reconstructed')
  })

  it.each(['old', 'new'] as const)('word the forms of the %s generation', async (generation) => {
    const plain = createToy({ generation })
    const bare = await plain.begin(plain.tasks[0]!, createRandom('seed'))
    const fixed = perturbations.filter(({ name }) => /^(?:agentrefine|alfworld|babyai|pddl|placebo)/.test(name))
    const changes = await Promise.all(
      fixed.map(async (perturbation) => {
        const world = await perturb(plain, [{ perturbation }]).begin(plain.tasks[0]!, createRandom('seed'))
        const { forms } = world.briefing
        const own = bare.briefing.forms.flatMap(({ template }, index) =>
          forms[index]!.template === template ? [] : [`${template} → ${forms[index]!.template}`],
        )
        return [perturbation.name, own.join('; ')]
      }),
    )
    expect(Object.fromEntries(changes)).toMatchSnapshot()
  })
})

it.each<[string, Readonly<Record<string, string>>, string]>([
  ['household', { 'go to {place}': 'walk to {place}' }, "Did you mean 'go to {recep}'?"],
  ['household', { 'go to {recep}': 'walk to {recep}', dance: 'sing' }, "'dance', but"],
  ['pddl', { 'Stack {block} over {under}': 'Pile {block} over {under}' }, "Did you mean 'Stack {block} on {under}'?"],
])(
  'a rule for a form that an environment does not have is an error with the known forms when it is opened on %s',
  async (name, rules, message) => {
    const environment = await openEnvironment(name)
    const perturbation = ownPerturbation('own', () => rewordActions(rules))
    const opened = (async () =>
      perturb(environment, [{ perturbation }]).begin(environment.tasks[0]!, createRandom('seed')))()
    const error = { code: 'perturbation', message: expect.stringContaining(message) as string }
    await expect(opened).rejects.toMatchObject(error)
  },
)
