import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dataFilters, perturbations } from '../../perturbations/index.js'
import type { AppliedPerturbation, Task, World } from '../../src/index.js'
import { createRandom, definePerturbation, perturb, rewordActions } from '../../src/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { createToy } from '../toy-environment.js'

const find = (name: string): AppliedPerturbation['perturbation'] => perturbations.find((one) => one.name === name)!

async function begin(name: string, generation: 'old' | 'new', intensity?: number): Promise<World> {
  const toy = createToy({ generation })
  const applied = { perturbation: find(name), ...(intensity !== undefined && { intensity, draw: 1, options: {} }) }
  return perturb(toy, [applied]).begin(toy.tasks[0]!, createRandom('seed'))
}

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

  it('say where each rule was read, or that it was reconstructed', () => {
    expect(
      perturbations.map(
        ({ name, promise, graded, source }) => `${name} (${promise}${graded ? ', graded' : ''}): ${source}`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "placebo (identity): a control of this testbed",
        "agentrefine-1 (invariant): AgentRefine (ICLR 2025), perturbation 1: all three rules reconstructed; Figure 2 does not show them",
        "agentrefine-2 (invariant): AgentRefine (ICLR 2025), perturbation 2: reconstructed; Figure 2 does not show it",
        "agentrefine-3 (invariant): AgentRefine (ICLR 2025), Figure 2, panel b: the rule is shown there; that it is number 3 is reconstructed",
        "agentrefine-4 (invariant, graded): AgentRefine (ICLR 2025), perturbation 4: as its authors describe it in the paper's public review (sofa 1 -> sofa1)",
        "alfworld-2024 (invariant): ALFWorld commit 1fa7e68 (2024-11-25), which replaced put … in/on by move … to",
        "babyai-1 (invariant): this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
        "babyai-2 (invariant): this testbed, after AgentRefine's perturbation 2: another verb for walking",
        "babyai-3 (invariant): this testbed, after AgentRefine's perturbation 3: the same tokens in another order",
        "babyai-4 (invariant): this testbed, after AgentRefine's perturbation 4: item names without spaces",
        "babyai-5 (invariant): this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
        "pddl-1 (invariant): this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
        "pddl-2 (invariant): this testbed, after AgentRefine's perturbation 2: another verb for walking, and for what comes closest to it",
        "pddl-3 (invariant): this testbed, after AgentRefine's perturbation 3: the same tokens in another order, as far as the games tell orders apart",
        "pddl-4 (invariant): this testbed, after AgentRefine's perturbation 4: item names spelled in another way",
        "pddl-5 (invariant): this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
        "scienceworld-1 (invariant): this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
        "scienceworld-2 (invariant): this testbed, after AgentRefine's perturbation 2: another verb for walking",
        "scienceworld-3 (invariant): this testbed, after AgentRefine's perturbation 3: the same tokens in another order",
        "scienceworld-4 (invariant): this testbed, after AgentRefine's perturbation 4: item names without spaces",
        "scienceworld-5 (invariant): this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
        "jericho-1 (invariant): this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
        "jericho-2 (invariant): this testbed, after AgentRefine's perturbation 2: another verb for walking",
        "jericho-3 (invariant): this testbed, after AgentRefine's perturbation 3: the same tokens in another order",
        "jericho-4 (invariant): this testbed, after AgentRefine's perturbation 4: item names without spaces",
        "jericho-5 (invariant): this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
        "synonyms (invariant, graded): this testbed, after PIPE (arXiv 2602.01611) and AgentRefine's perturbations 1 and 2",
        "symbols (invariant, graded): this testbed, after PIPE (arXiv 2602.01611)",
        "pseudo-verbs (harder, graded): this testbed, after clembench's AdventureGame (arXiv 2502.11733)",
        "swapped-verbs (harder): this testbed, after the heavy noise of RoTBench (arXiv 2401.08326)",
        "argument-order (invariant, graded): AgentRefine (ICLR 2025), figure 2, panel b, for every action with two items",
        "call-syntax (invariant, graded): this testbed, after the comparison of tool formats in Natural Language Tools (arXiv 2510.14453)",
        "item-style (invariant, graded): this testbed, after AgentRefine's perturbation 4",
        "item-synonyms (invariant, graded): this testbed",
        "item-pseudo-words (harder, graded): this testbed, after clembench's AdventureGame (arXiv 2502.11733)",
        "goal-paraphrase (invariant): this testbed, after the prompt variants of HAL (arXiv 2602.16666)",
        "observation-paraphrase (invariant, graded): this testbed",
        "error-messages (invariant): this testbed, after Schema First Tool APIs (arXiv 2603.13404)",
        "distractor-text (invariant, graded): this testbed, after the redundant tool outputs of AgentNoiseBench (arXiv 2602.11348)",
        "typos (harder, graded): this testbed, after the naturalistic variants of prompts in HAL (arXiv 2602.16666)",
        "letter-case (invariant, graded): this testbed, after the case variants of prompts in HAL (arXiv 2602.16666)",
        "unicode (harder, graded): this testbed, after the character noise of RoTBench (arXiv 2401.08326)",
        "truncated-observation (harder, graded): this testbed, after the partial responses of HAL and AgentNoiseBench (arXiv 2602.11348)",
        "list-order (invariant): this testbed, after the reordered options of RoTBench (arXiv 2401.08326)",
        "list-visibility (harder, graded): this testbed, after the drop without lists in arXiv 2603.12011",
        "decoy-actions (harder, graded): this testbed, after the grown tool lists of arXiv 2504.00914",
        "action-failures (harder, graded): this testbed, after ReliabilityBench (arXiv 2601.06112) and ToolBench-X (arXiv 2606.25819)",
        "dropped-feedback (harder, graded): this testbed, after the incomplete observations of AgentNoiseBench (arXiv 2602.11348)",
        "examples (invariant): this testbed, after the few-shot studies behind AgentBoard and PIPE (arXiv 2602.01611)",
        "layout (invariant): this testbed, after the prompt templates of arXiv 2410.19920",
        "step-budget (harder): this testbed",
        "misinformation (harder, graded): this testbed, after the erroneous tool results of AgentNoiseBench (arXiv 2602.11348) and AVER (tau2-bench)",
        "distractor-objects (harder, graded): this testbed, after the goal-irrelevant details of arXiv 2601.18217",
        "clean-repeats (identity): a control of this testbed",
        "length-matched (invariant): a control of this testbed",
      ]
    `)
  })

  it.each(['old', 'new'] as const)('word the forms of the %s generation', async (generation) => {
    const plain = createToy({ generation })
    const bare = await plain.begin(plain.tasks[0]!, createRandom('seed'))
    const fixed = perturbations.filter(({ name }) => /^(?:agentrefine|alfworld|babyai|pddl|placebo)/.test(name))
    const changes = await Promise.all(
      fixed.map(async ({ name }) => {
        const { forms } = (await begin(name, generation)).briefing
        const own = bare.briefing.forms.flatMap(({ template }, index) =>
          forms[index]!.template === template ? [] : [`${template} → ${forms[index]!.template}`],
        )
        return [name, own.join('; ')]
      }),
    )
    expect(Object.fromEntries(changes)).toMatchSnapshot()
  })

  it('spell names without their space, and leave other names as they are', () => {
    const scene = { briefing: { examples: [] } as never, random: createRandom('1'), intensity: 1, draw: 1, options: {} }
    const names = ['sofa 1', 'drawer 10', 'red ball 2', 'kitchen', '7', 'b1', 'room 2 door', 'a 1 2', 'x 1a']
    const { name } = find('agentrefine-4').open({ ...scene, names })
    expect(names.map((one) => name!(one))).toEqual([
      'sofa1',
      'drawer10',
      'red ball2',
      'kitchen',
      '7',
      'b1',
      'room 2 door',
      'a 12',
      'x 1a',
    ])
  })

  it.each([
    [0, 0],
    [0.3, 0.3],
    [0.5, 0.5],
    [0.99, 0.99],
    [1, 1],
  ])('spell a share of %d of the names, examples included', (intensity, share) => {
    const names = Array.from({ length: 80 }, (_, index) => `cabinet ${String(index)}`)
    const examples = [{ names: Array.from({ length: 20 }, (_, index) => `shelf ${String(index)}`) }]
    const { name } = find('agentrefine-4').open({
      briefing: { examples } as never,
      names,
      random: createRandom('1'),
      intensity,
      draw: 1,
      options: {},
    })
    const all = [...names, ...examples[0]!.names]
    expect(all.filter((one) => name!(one) !== one)).toHaveLength(share * 100)
  })
})

describe('a rule for a form that an environment does not have', () => {
  const own = (rules: Readonly<Record<string, string>>): AppliedPerturbation => ({
    perturbation: definePerturbation({
      ...{ name: 'own', summary: '', source: '', promise: 'invariant' },
      open: () => rewordActions(rules),
    }),
  })

  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'household',
      { 'go to {place}': 'walk to {place}' },
      "'go to {place}', but the environment has no such action form. Did you mean 'go to {recep}'?",
    ],
    ['household', { 'go to {recep}': 'walk to {recep}', dance: 'sing' }, "'dance', but"],
    [
      'babyai',
      { 'go to {recep}': 'walk to {recep}' },
      "'go to {recep}', but the environment has no such action form. Did you mean 'go to {obj}'?",
    ],
    ['pddl', { 'Stack {block} over {under}': 'Pile {block} over {under}' }, "Did you mean 'Stack {block} on {under}'?"],
  ])('is an error with the known forms when it is opened on %s', async (name, rules, message) => {
    const environment = await openEnvironment(name)
    const [task] = environment.tasks
    const { forms } = (await environment.begin(task!, createRandom('seed'))).briefing
    const opened = perturb(environment, [own(rules)])
    for (let time = 0; time < 2; time++) {
      const thrown = await Promise.resolve()
        .then(() => opened.begin(task!, createRandom('seed')))
        .catch((error: unknown) => error)
      expect(thrown).toMatchObject({ code: 'perturbation' })
      expect((thrown as Error).message).toContain(`The perturbation 'own' has a rule for `)
      expect((thrown as Error).message).toContain(message)
      for (const { template } of forms) expect((thrown as Error).message).toContain(`'${template}'`)
    }
  })

  it('is accepted if another task or setting has the form', async () => {
    const household = await openEnvironment('household', { generation: 'old' })
    const pddl = await openEnvironment('pddl', { games: ['gripper'] })
    for (const [environment, rules] of [
      [household, { 'move {obj} to {recep}': 'lay {obj} on {recep}' }],
      [
        pddl,
        { 'Stack {block} on {under}': 'Pile {block} on {under}', 'stack {block} {under}': 'pile {block} {under}' },
      ],
    ] as const) {
      const world = await perturb(environment, [own(rules)]).begin(environment.tasks[0]!, createRandom('seed'))
      expect(world.dose!().forms).toBe(0)
    }
  })

  it('is in no perturbation of the package, on any kind of task, alone and over each other', async () => {
    let opened = 0
    for (const name of ['household', 'babyai', 'pddl']) {
      const environment = await openEnvironment(name)
      const made = perturbations.filter((one) => [undefined, name].includes(one.environment) && !one.takesColumn)
      const tasks = new Map(environment.tasks.map((task) => [task.kind, task]))
      // Rules are for forms of action, so pairs are opened on one task of each list of forms.
      const withForms = new Map<string, Task>()
      for (const task of tasks.values()) {
        const { briefing } = await environment.begin(task, createRandom('seed'))
        withForms.set(briefing.forms.map(({ template }) => template).join('\n'), task)
        for (const perturbation of made)
          await perturb(environment, [{ perturbation }]).begin(task, createRandom('seed'))
      }
      for (const task of withForms.values()) {
        for (const perturbation of made) {
          for (const other of made.filter((one) => one !== perturbation)) {
            const both = perturb(environment, [{ perturbation }, { perturbation: other }])
            const thrown = await Promise.resolve()
              .then(() => both.begin(task, createRandom('seed')))
              .catch((error: unknown) => (error as Error).message)
            if (typeof thrown === 'string') expect(thrown).not.toContain('has a rule for')
            opened++
          }
        }
      }
    }
    expect(opened).toBeGreaterThan(100)
  })
})
