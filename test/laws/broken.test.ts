import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import type { AppliedPerturbation, Environment, Perturbation, Turn, World } from '../../src/index.js'
import { definePerturbation, mapProse, rewordActions } from '../../src/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { checkLaws } from '../../src/laws/index.js'
import { parseCondition } from '../../src/run/conditions.js'
import { createToy } from '../toy-environment.js'
import { type Sample, describeEnvironment, describePerturbations, outcomes } from './describe.js'
import { syncWorld } from '../sync-world.js'
import { inGoal, inProse, inTurns } from '../text-hooks.js'

async function failures(
  applied: readonly AppliedPerturbation[],
  environment = createToy(),
): Promise<readonly string[]> {
  const findings = await checkLaws({ environment, task: environment.tasks[0]!, applied, seed: '0' })
  return findings.flatMap(({ law, outcome, detail, evidence }) => {
    if (outcome !== 'fails') return []
    const shown = evidence && ` expected ${evidence.expected}, got ${evidence.got}`
    return [`${law}: ${detail ?? ''}${shown ?? ''}`]
  })
}

const define = (lens: ReturnType<Perturbation['open']>, promise: Perturbation['promise'] = 'invariant'): Perturbation =>
  definePerturbation({ name: 'own', summary: '', source: '', promise, open: () => lens })

// eslint-disable-next-line no-restricted-properties -- The law has to find what no seed determines.
const ambient = (): number => Math.random()

describe('a broken perturbation is reported', () => {
  const tidied = { 'go to {recep}': 'put yourself on {recep}', look: 'look.' }
  const louder = inProse((text, part) => (part === 'observations' ? `${text}!` : text))
  const compartments = inProse((text) => text.replaceAll(/\bdrawer\b/g, 'compartment'))
  const slotless = { 'take {obj} from {recep}': 'take it from {recep}' }
  it.each<[Perturbation, ...string[]]>([
    [
      define(rewordActions(slotless)),
      "opens: The action form 'take {obj} from {recep}' has the slots [obj recep], but",
    ],
    [define({ text: compartments }), 'untouched: Prose no longer mentions items or', "no news: The goal says '10'"],
    [define(rewordActions(tidied)), "round trip: 'go to sinkbasin 1' is said as 'put yourself on sinkb", 'solution: '],
    [define({ text: louder }, 'identity'), 'identity: It promises to change nothing, but something differs.'],
  ])('by the laws that its mistake breaks: %#', async (perturbation, ...expected) => {
    const normalise = (action: string) => action.replace(/put (.*) on /, 'put $1 in/on ').replace(/\.$/, '')
    const found = await failures([{ perturbation }], { ...createToy(), normalise })
    expect(found.map((one, index) => one.slice(0, expected[index]?.length))).toEqual(expected)
  })

  let episodes = 0
  it.each<[string, ReturnType<Perturbation['open']> | Perturbation['open']]>([
    ['names', { name: (name) => (/ /.test(name) && ambient() < 0.5 ? name.replace(' ', '-') : name) }],
    ['prose', { text: inProse((text) => `${text} ${String(ambient())}`) }],
    ['lists', { commands: (list) => [...list].sort(() => ambient() - 0.5) }],
    ['answers', { act: () => (ambient() < 0.5 ? { fails: 'before', answer: 'Try again.' } : undefined) }],
    ['memories', () => ((episode) => ({ name: (name: string) => `${name} (${episode})` }))(String(episodes++))],
  ])('if its %s depend on what no seed determines', async (_, lens) => {
    const perturbation = { ...define({}, 'harder'), open: typeof lens === 'function' ? lens : () => lens }
    expect((await failures([{ perturbation }])).join()).toContain(
      'same seed: Two episodes with the same seed give different text.',
    )
  })

  it('if it drops numbers or items from prose', async () => {
    const dropsTurns = define({ text: inProse((text) => text.replace('10 turns', 'a few turns')) })
    const dropsItem = define({ text: inProse((text) => text.replace(', and a pen 1', '')) })
    for (const perturbation of [dropsTurns, dropsItem]) {
      expect(await failures([{ perturbation }])).toEqual([
        expect.stringContaining('untouched: Prose no longer mentions items or numbers'),
      ])
    }
    const keepsAll = define({ text: inProse((text) => text.replace('You see', 'Here are')) })
    for (const perturbation of [{ ...dropsTurns, promise: 'harder' as const }, keepsAll]) {
      expect(await failures([{ perturbation }])).toEqual([])
    }
  })
})

describe('a law is broken by', () => {
  /** A lens with settings of its perturbation. */
  type Wrong = Partial<Perturbation> & { readonly lens: Perturbation['open'] }
  const goal = (from: string, to: string): Wrong => ({
    lens: () => ({ text: inGoal((text) => text.replace(from, to)) }),
  })
  const seen = (from: RegExp, to: string): Wrong => ({
    lens: () => ({
      text: inTurns((pieces) => mapProse(pieces, (text) => text.replace(from, to))),
    }),
  })
  const listing = (command: string): Wrong => ({
    promise: 'harder',
    lens: () => ({ lists: 'add', commands: (list) => [...list, command] }),
  })
  const failing = (fails: (action: string, turn: number) => boolean): Wrong => ({
    promise: 'harder',
    lens: () => ({
      recovery: 'retry',
      act: (action, { turn }) => (fails(action, turn) ? { fails: 'before', answer: '-' } : undefined),
    }),
  })
  const drawing = (draws: number, marks: (draw: number) => number): Wrong => ({
    draws,
    lens: ({ draw }) => ({ text: inGoal((text) => text + '!'.repeat(marks(draw))) }),
  })
  const wrapping = (change: (world: World) => Partial<World>): Wrong => ({
    lens: () => ({ wrap: (world) => ({ ...world, ...change(world) }) }),
  })
  const rains = ({ opening }: World) => ({ opening: [...opening, ' It rains.'] })
  const shorter = (world: World) => ({
    solve: () =>
      syncWorld(world)
        .solve()!
        .filter((one) => !one.startsWith('go')),
  })
  const other = (world: World) => ({
    step: (action: string) => ({ ...(world.step(action) as Turn), original: 'Something else.' }),
  })
  const tells: Wrong = {
    lens: () => ({ brief: ({ instruction }) => ({ instruction: [...instruction, ' Say go to drawer 10.'] }) }),
  }
  it.each<[string, Wrong, RegExp]>([
    ['a goal that loses a state', goal('clean', 'nice'), /^untouched: Prose no longer says 'clean'/],
    ['a goal that loses a kind of item', goal('mug', 'thing'), /^untouched: Prose no longer says 'mug'/],
    ['a goal that adds a state', goal('put', 'heat it and put'), /^no news: The goal says 'hot'/],
    ['a goal that adds a kind of item', goal('put', 'with the sinkbasin, put'), /^no news: The goal says 'sinkbasin'/],
    ['a goal that adds a number', goal('put', 'in 7 steps put'), /^no news: The goal says '7'/],
    ['a view that loses a state', seen(/clean/, 'treat'), /^untouched: Prose no longer says 'clean'/],
    ['a view that loses what is empty', seen(/nothing/, 'something'), /^untouched: Prose no longer says 'empty'/],
    ['a view that names what is not seen yet', seen(/$/, ' A mug 13 exists.'), /^no news: The agent reads 'mug 13'/],
    ['a prompt with a step of the solution', tells, /^no news: The prompt gives 'go to drawer 10' away/],
    ['a decoy that is accepted', listing('take mug 1 from drawer 1'), /^listed: .* but the environment lists it/],
    ['failures that are too many', failing((_, turn) => turn % 20 > 0), /^solution: Said again/],
    ['failures that depend on the action', failing((action) => action.startsWith('go')), /^schedule: What fails in/],
    ['a failure at 0', { ...failing((_, turn) => turn === 1), graded: true }, /^dose: Its intensity is 0, but/],
    ['text that changes without a dose', wrapping(rains), /^dose: The agent reads something else, but the dose is 0/],
    ['a shorter way', { ...wrapping(shorter), promise: 'harder' }, /^(?:one-sided|solution): /],
    ['draws that are too few', drawing(2, () => 1), /^draws: It has 2 draws/],
    ['draws that are alike', drawing(5, (draw) => draw % 4), /^draws: The draws 1 and 5 are the same text/],
    ['generated draws that are alike', drawing(Infinity, () => 1), /^draws: The draws 1 and 2 are the same text/],
    ['an answer that differs underneath', wrapping(other), /^round trip: The environment underneath answers something/],
  ])('%s', async (_, { lens, ...settings }, message) => {
    const perturbation = { ...define({}), open: lens, ...settings }
    const found = await failures([{ perturbation }])
    expect(found.filter((one) => message.test(one))).not.toEqual([])
  })
})

describe('a loosely written action', () => {
  const walk = define(rewordActions({ 'go to {recep}': 'move to {recep}' }))

  it('breaks a law if an environment accepts it and gives lenses no way to read it', async () => {
    const toy = createToy()
    const deaf: Environment = {
      ...toy,
      async begin(task, random) {
        const world = await toy.begin(task, random)
        const small = (action: string): string => action.toLowerCase()
        return {
          ...world,
          step: (action: string) => world.step(small(action)),
          understands: (action: string) => syncWorld(world).understands(small(action)),
        } satisfies World
      },
    }
    expect(await failures([{ perturbation: walk }], deaf)).toEqual([
      expect.stringMatching(/^round trip: 'GO TO .*' is understood, but 'MOVE TO .*' in the new wording is not/),
      expect.stringMatching(/^old wording: The old wording 'GO TO .*' is still accepted/),
    ])
  })

  it('breaks a law if the environment takes the new wording for another action', async () => {
    const environment = await openEnvironment('pddl', { games: 'tyreworld' })
    const muddled = define(rewordActions({ 'Fetch {obj} from {container}': 'Come close to {container} for {obj}' }))
    const task = environment.tasks[0]!
    const findings = await checkLaws({ environment, task, applied: [{ perturbation: muddled }], seed: '0' })
    const broken = findings.find(({ law }) => law === 'round trip')
    expect(broken?.detail).toMatch(
      /^'Fetch .*' said as 'Come close to boot for .*' collides with 'Close boot', whose wording is unchanged/,
    )
  })
})

it.each([
  'agentrefine-2+agentrefine-4',
  'agentrefine-4+agentrefine-2',
  'agentrefine-1+agentrefine-3',
  'agentrefine-1+agentrefine-2+agentrefine-3+agentrefine-4+alfworld-2024',
  'alfworld-2024+agentrefine-2',
  'agentrefine-4:intensity=0.5+agentrefine-3',
  'agentrefine-4:scope=instruction/examples',
  'agentrefine-4:scope=observations+agentrefine-2:scope=admissible',
  'agentrefine-2:refuse=false',
])('a condition of several perturbations %s keeps the laws in both generations', async (text) => {
  for (const generation of ['old', 'new'] as const) {
    const environment = createToy({ generation })
    const { applied } = parseCondition(text, perturbations)
    expect(await outcomes({ environment, tasks: environment.tasks, label: generation }, applied)).toEqual(['holds'])
  }
})

it('a law without evidence is not counted as holding', async () => {
  const toy = createToy()
  const idle = define(rewordActions({ 'eat {obj}': 'devour {obj}' }))
  const applied = [{ perturbation: idle }]
  const findings = await checkLaws({ environment: toy, task: toy.tasks[0]!, applied, seed: '0' })
  expect(new Set(findings.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']))
  const bare = createToy({ solvable: false })
  const loose = [{ perturbation: idle, refuse: false }]
  const without = await checkLaws({ environment: bare, task: bare.tasks[0]!, applied: loose, seed: '0' })
  expect(without.filter(({ outcome }) => outcome === 'unchecked')).toEqual([
    { law: 'solution', outcome: 'unchecked', detail: 'The environment has no planner.' },
    { law: 'old wording', outcome: 'unchecked', detail: 'It was asked to accept the old wording.' },
  ])
})

it('a law without evidence is thrown as an error if the environment itself is broken', async () => {
  const toy = createToy()
  const broken: Environment = { ...toy, begin: () => Promise.reject(new Error('no such house')) }
  await expect(failures([{ perturbation: perturbations[0]! }], broken)).rejects.toThrow('no such house')
})

const samples = [
  { label: 'a toy of the old generation', environment: createToy() },
  { label: 'a toy of the new generation', environment: createToy({ generation: 'new' }) },
  { label: 'a toy that answers later', environment: createToy({ slow: true }) },
  { label: 'a toy without a planner', environment: createToy({ solvable: false }) },
].map((one): Sample => ({ ...one, tasks: one.environment.tasks }))

const fixed = perturbations.filter(({ environment, promise }) => environment !== undefined || promise === 'identity')
// The toy has `look` and `inventory`, as text adventures have.
for (const sample of samples) {
  describePerturbations(fixed, sample, /^(?:(agentrefine|alfworld)-|jericho-1$)/)
  describeEnvironment(sample)
}
