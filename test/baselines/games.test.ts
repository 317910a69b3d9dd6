import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { baselines } from '../../baselines/index.js'
import { perturbations } from '../../perturbations/index.js'
import { act } from '../../src/agents/act.js'
import { agents } from '../../src/agents/index.js'
import type { Agent } from '../../src/core/agent.js'
import type { Environment, Task } from '../../src/core/environment.js'
import type { Message, Model } from '../../src/core/model.js'
import type { AppliedPerturbation } from '../../src/core/perturbation.js'
import { definePerturbation, renameItems, rewordActions } from '../../src/core/perturbation.js'
import { perturb } from '../../src/core/perturb.js'
import type { Played } from '../../src/core/play.js'
import { play } from '../../src/core/play.js'
import { createRandom } from '../../src/core/random.js'
import { openEnvironment } from '../../src/environments/index.js'
import { sharedData } from '../shared-data.js'

let games: Environment

beforeAll(async () => {
  games = await openEnvironment('pddl')
})

const control = (name: string): Model => baselines.find((one) => one.name === name)!.create()
const column = (name: string): AppliedPerturbation => ({
  perturbation: perturbations.find((perturbation) => perturbation.name === name)!,
})

interface Setting {
  readonly environment?: Environment
  readonly columns?: readonly AppliedPerturbation[]
  readonly agent?: Agent
  readonly temperature?: number
  readonly seed?: number
  /** Every how many tasks one is played. */
  readonly every?: number
}

async function playAll(model: Model, setting: Setting = {}): Promise<readonly Played[]> {
  const { environment = games, columns = [], agent = act, temperature = 0, seed = 1, every = 4 } = setting
  const seen = perturb(environment, columns)
  const wanted: readonly Task[] = seen.tasks.filter((_, index) => index % every === 0)
  const played: Played[] = []
  for (const task of wanted) {
    const world = await seen.begin(task, createRandom(`${task.id} ${String(seed)}`))
    const limits = { temperature, seed, stepLimit: 30, maxTokens: 100 }
    const normalise = (action: string): string => environment.normalise?.(action) ?? action
    played.push(await play({ world, agent, model, normalise, ...limits }))
  }
  return played
}

const share = (played: readonly Played[]): number =>
  played.filter(({ result }) => result.outcome === 'success').length / played.length
const actions = (played: readonly Played[]): readonly string[] =>
  played.flatMap(({ trajectory }) => trajectory.steps.map(({ action }) => action))

function respelled(rename: (name: string) => string): AppliedPerturbation {
  const perturbation = definePerturbation({
    name: 'respelled',
    summary: 'names in another spelling',
    source: 'this test',
    promise: 'invariant',
    open: () => renameItems(rename),
  })
  return { perturbation }
}

const nonsense: AppliedPerturbation = {
  perturbation: definePerturbation({
    name: 'nonsense',
    summary: 'made-up verbs',
    source: 'this test',
    promise: 'invariant',
    open: () =>
      rewordActions({
        'Move from {from} to {to}': 'zorp {to} {from}',
        'drop {ball} {room} {gripper}': '{gripper} frob {ball} {room}',
        'Pickup {block}': 'gleem {block}',
        'Stack {block} on {under}': 'krish {under} {block}',
        '{hand} grasp {container}': 'wub {container} {hand}',
        'Fetch {obj} from {container}': 'wib {container} {obj}',
        'Loosen the nut {nut} on the hub {hub}': 'wob {hub} {nut}',
      }),
  }),
}

describe('reader', () => {
  it('solves nearly every game, and never says what is not understood', async () => {
    const played = await playAll(control('reader'), { every: 1 })
    for (const game of ['gripper', 'blockworld', 'barman', 'tyreworld']) {
      expect(share(played.filter((_, index) => games.tasks[index]!.id.startsWith(game)))).toBeGreaterThanOrEqual(0.9)
    }
    for (const { result } of played) expect(result.measures.understood).toBe(result.measures.steps)
  })

  it.each([
    ['pddl-1', [column('pddl-1')]],
    ['pddl-2', [column('pddl-2')]],
    ['pddl-3', [column('pddl-3')]],
    ['pddl-4', [column('pddl-4')]],
    ['pddl-5', [column('pddl-5')]],
    ['four at once', [1, 2, 4, 5].map((number) => column(`pddl-${String(number)}`))],
    ['verbs that nobody knows', [nonsense]],
    ['names in capitals', [respelled((name) => name.toUpperCase())]],
    ['names with blanks and a stop', [respelled((name) => name.replace(/(?=\d+$)/, ' no. '))]],
    ['names with a capital', [respelled((name) => name[0]!.toUpperCase() + name.slice(1))]],
  ])('plays as well under %s', async (_, columns) => {
    expect(share(await playAll(control('reader'), { columns }))).toBeGreaterThanOrEqual(0.9)
  })

  it.each(agents.map((agent) => [agent.name, agent] as const))('speaks as %s asks', async (_, agent) => {
    const played = await playAll(control('reader'), { agent, columns: [column('pddl-3')], every: 6 })
    expect(share(played)).toBeGreaterThanOrEqual(0.9)
    for (const { result } of played) expect(result.measures.formatErrors).toBe(0)
  })

  it('asks for the possible actions where the prompt is no help, and learns from them', async () => {
    const columns = ['pddl-1', 'pddl-2', 'pddl-5'].map((name) => ({
      ...column(name),
      scope: ['admissible'] as const,
    }))
    const played = await playAll(control('reader'), { columns })
    expect(share(played)).toBeGreaterThanOrEqual(0.6)
    expect(actions(played)).toContain('check valid actions')
    for (const { result } of played) expect(result.measures.repeats).toBe(0)
  })

  it('plays a game that nobody told it of', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lamps-'))
    const [domain, problem] = [join(folder, 'lamps.pddl'), join(folder, 'evening.pddl')]
    writeFileSync(
      domain,
      `(define (domain lamps) (:requirements :strips) (:predicates (off ?lamp) (lit ?lamp))
        (:action kindle :parameters (?lamp) :precondition (off ?lamp) :effect (and (lit ?lamp) (not (off ?lamp))))
        (:action douse :parameters (?lamp) :precondition (lit ?lamp) :effect (and (off ?lamp) (not (lit ?lamp)))))`,
    )
    writeFileSync(
      problem,
      `(define (problem evening) (:domain lamps) (:objects l1 l2 l3 l4)
        (:init (off l1) (off l2) (off l3) (off l4)) (:goal (and (lit l1) (lit l2) (lit l4))))`,
    )
    const environment = await openEnvironment('pddl', { domain, problem })
    const played: Played[] = []
    for (let seed = 0; seed < 10; seed++) played.push(...(await playAll(control('reader'), { environment, seed })))
    // It feels its way, and knows no rules: mostly it is there within thirty steps.
    expect(share(played)).toBeGreaterThanOrEqual(0.8)
    expect(actions(played)).toContain('check valid actions')
  })
})

describe('parrot', () => {
  it('plays as well as the reader where its wording is understood', async () => {
    expect(share(await playAll(control('parrot')))).toBeGreaterThanOrEqual(0.9)
  })

  it.each(['pddl-1', 'pddl-2', 'pddl-3', 'pddl-4', 'pddl-5'])('is lost under %s, in its old words', async (name) => {
    const played = await playAll(control('parrot'), { columns: [column(name)] })
    expect(share(played)).toBeLessThanOrEqual(0.35)
    expect(played.some(({ result }) => result.measures.memorised! > 0)).toBe(true)
  })

  it('keeps to its words, whatever the lists say', async () => {
    const played = await playAll(control('parrot'), { columns: [column('pddl-1')], temperature: 1, every: 3 })
    expect(actions(played)).toContain('check valid actions')
    expect(actions(played).join('\n')).not.toMatch(/take up|seize|lift|slacken/i)
  })
})

describe('random', () => {
  it('says what the forms and the names allow, and is sometimes understood', async () => {
    const played = await playAll(control('random'))
    expect(share(played)).toBeLessThan(0.2)
    expect(played.some(({ result }) => result.measures.understood! > 3)).toBe(true)
    for (const action of actions(played)) expect(action).not.toMatch(/[{}]/)
  })
})

describe('every control model', () => {
  it.each(['reader', 'parrot', 'random'])(
    '%s says the same for the same seed, and seeds mean something',
    async (name) => {
      const setting = { temperature: 1, seed: 3, every: 12 }
      const once = actions(await playAll(control(name), setting))
      expect(actions(await playAll(control(name), setting))).toEqual(once)
      expect(actions(await playAll(control(name), { ...setting, seed: 4 }))).not.toEqual(once)
    },
  )

  it('is more absent-minded at temperature 1', async () => {
    const cold = await playAll(control('reader'))
    const warm = await playAll(control('reader'), { temperature: 1 })
    expect(actions(warm).length).toBeGreaterThan(actions(cold).length)
    expect(share(warm)).toBeLessThan(share(cold))
    expect(share(warm)).toBeGreaterThan(0.3)
  })

  it.each(['reader', 'parrot', 'random'])('%s answers to anything, at once', async (name) => {
    const goal = 'accomplish the goal: The goal is to satisfy the following conditions: '
    const begin = (opening: string): string => `${goal}shot1 contains cocktail1. , b1 is on b2.\n${opening}\nAction: `
    const hostile = [
      goal,
      begin(''),
      begin('Robby is at . Robby is at X is at Y.'),
      begin('Room A '.repeat(20_000)),
      begin(`Pour ${'A is B '.repeat(20_000)}`),
      begin('Hub h is on the ground. '.repeat(5000)),
      begin(Array.from({ length: 300 }, (_, n) => `Hub h${String(n)} is fastened. W is on h${String(n)}.`).join(' ')),
      begin(
        'D dispenses I. Level a is next to level a. S is at level a. S is shaked. S contains S. You are holding S.',
      ),
      begin('A is on A. B is on B. A is on the table. The A is clear. Your arm is empty.'),
      begin(`${'('.repeat(50)} is on the table. The ( is clear. [\\ is clear. $& is on {0}.`),
    ]
    const observations = [
      '',
      '.',
      'Valid actions are: ',
      'Valid actions are: , , {0}',
      'x is on y. '.repeat(3000),
      '\u0000',
    ]
    const started = performance.now()
    for (const content of hostile) {
      for (const observation of observations) {
        const messages: Message[] = [{ role: 'user', content }]
        for (let turn = 0; turn < 3; turn++) {
          const completion = await control(name).complete(messages, {
            temperature: 1,
            seed: turn,
            maxTokens: 9,
            stop: [],
          })
          expect(typeof completion.text).toBe('string')
          messages.push({ role: 'assistant', content: completion.text }, { role: 'user', content: observation })
        }
      }
    }
    expect(performance.now() - started).toBeLessThan(30_000)
  })
})

describe.skipIf(sharedData === undefined)("AgentBoard's own games and prompts", () => {
  it.each([['none'], ['pddl-1'], ['pddl-3']])('are played by the reader under %s', async (name) => {
    const data = join(sharedData!, 'pddl')
    const prompt = join(sharedData!, 'agentboard_prompts', 'pddl_vanilla_prompt.json')
    const environment = await openEnvironment('pddl', { data, prompt })
    const columns = name === 'none' ? [] : [column(name)]
    expect(share(await playAll(control('reader'), { environment, columns }))).toBeGreaterThanOrEqual(0.8)
  })
})
