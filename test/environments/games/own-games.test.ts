import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom, hashOf, textOf } from '../../../src/index.js'
import { ownGames, ownDomain } from '../../../src/environments/games/own-games.js'
import { type ActionSchema, parseDomainOnce, parseDomain } from '../../../src/environments/pddl/domain.js'
import { solveTask } from '../../../src/environments/pddl/planner/index.js'
import { parseProblem } from '../../../src/environments/pddl/problem.js'
import { type Task, compileTask } from '../../../src/environments/pddl/task.js'
import { reaches } from '../pddl/_every-state.js'
import { gameNames } from '../../../src/environments/games/wording.js'
import type { Atom, Formula } from '../../../src/environments/pddl/formula.js'
import { sharedData, sharedRows } from '../../shared-data.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { writeFolder } from './small-games.js'
import { scratchFolder, scratchWriter } from '../../scratch.js'
import { syncWorld } from '../../sync-world.js'

const test = ownGames('test')
const train = ownGames('train')

const compiled = ({ domain, problem }: (typeof test)[number]): Task =>
  compileTask(parseProblem(problem.text, parseDomainOnce(domain.text, domain.where), problem.where))

it("our own games can all be won in time: by the known solution, and by the planner's", () => {
  let [needed, solutionLength] = [0, 0]
  for (const game of [...test, ...train.filter((_, index) => index % 4 === 0)]) {
    expect(game.solutionLength).toBeLessThanOrEqual(30)
    const task = compiled(game)
    const actions = solveTask(task, task.init)!
    expect(reaches(task, actions), game.id).toBe(true)
    expect(actions.length, game.id).toBeLessThanOrEqual(Math.min(30, game.solutionLength + 2))
    needed += actions.length
    solutionLength += game.solutionLength
  }
  expect(needed).toBeLessThanOrEqual(solutionLength)
})

it('our own games never change', () => {
  const told = ({ id, difficulty, domain, problem }: (typeof test)[number]) => {
    return [id, difficulty, domain.text, problem.text]
  }
  const texts = (games: typeof test): string => hashOf(games.map(told), 16)
  expect([texts(test), texts(train)]).toEqual(['51c647b9a3311d0e', 'b0e50be058985799'])
})

/** The preconditions and effects of an action, with parameters by position. */
function meaningOf({ name, parameters, precondition, effects }: ActionSchema): unknown {
  const place = new Map(parameters.map((parameter, index) => [parameter.name, `?${String(index)}`]))
  const written = ({ predicate, terms }: Atom): string =>
    [predicate, ...terms.map((term) => place.get(term) ?? term)].join(' ')
  const atoms = (formula: Formula): string[] =>
    formula.kind === 'and' ? formula.parts.flatMap(atoms) : formula.kind === 'atom' ? [written(formula)] : ['?']
  return {
    name,
    types: parameters.map(({ types }) => types),
    needs: atoms(precondition).sort(),
    adds: effects.flatMap(({ adds, atom }) => (adds ? [written(atom)] : [])).sort(),
    deletes: effects.flatMap(({ adds, atom }) => (adds ? [] : [written(atom)])).sort(),
  }
}

describe.skipIf(sharedData === undefined).each(gameNames)('%s (skipped without the shared data)', (game) => {
  const read = (name: string): string => readFileSync(join(sharedData ?? '', 'pddl', name), 'utf8')
  const own = parseDomain(ownDomain(game).text, game)
  const published = sharedData === undefined ? own : parseDomain(read(`${game}.pddl`), game)

  it("has a domain of ours that is equivalent to AgentBoard's", () => {
    expect(own.actions.map(meaningOf)).toEqual(published.actions.map(meaningOf))
    expect(new Map([...own.predicates].sort())).toEqual(new Map([...published.predicates].sort()))
  })
})

const scratch = scratchFolder()
const data = writeFolder(join(scratch, 'data'))
const file = scratchWriter(scratch)

const complaint = (options: Readonly<Record<string, unknown>>, id?: string): Promise<string> =>
  openEnvironment('pddl', options)
    .then(({ tasks, find }) => JSON.stringify(id === undefined ? tasks : find(id)))
    .catch((thrown: Error) => thrown.message.replaceAll(scratch, 'FOLDER'))

const row = (subtask: string, difficulty: string): string =>
  JSON.stringify({ id: 0, task: 'pddl', goal: 'x', subgoals: ['x'], difficulty, additional_info: { subtask } })

it("AgentBoard's folder is numbered game by game in the order of file names by code point", async () => {
  const environment = await openEnvironment('pddl', { data })
  expect(environment.tasks.map(({ id }) => id)).toEqual(
    ['gripper', 'blockworld', 'barman', 'tyreworld'].flatMap((game) => [0, 1, 2].map((index) => `${game}/${index}`)),
  )
  writeFileSync(join(data, 'tyreworld', 'problem10.pddl'), '(define (problem')
  const { tasks, find } = await openEnvironment('pddl', { data, games: 'gripper' })
  expect([tasks.length, find('gripper/2').goal]).toEqual([3, tasks[2]!.goal])
  expect(await complaint({ data }, 'tyreworld/1')).toMatch(
    /^FOLDER\/data\/tyreworld\/problem10\.pddl, line 1, column 9: expected '\)' for this '\(', got the end of the text\./,
  )
  writeFolder(data)
})

it.each<[string, Record<string, unknown>, string | undefined, string]>([
  ['a folder without games', { data: scratch }, undefined, "Expected AgentBoard's PDDL games in FOLDER"],
  ['a task that is not there', { data }, 'gripper/3', "no PDDL game 'gripper/3'. Did you mean 'gripper/0'?"],
  [
    'invalid labels',
    { data, labels: file('bad.jsonl', `${row('gripper', 'easy')}\n{"id": 1}`) },
    undefined,
    'FOLDER/bad.jsonl:2: expected a task with additional_info and difficulty',
  ],
])("AgentBoard's folder refuses %s", async (_, options, id, words) => {
  expect(await complaint(options, id)).toContain(words)
})

it('our own games are found by their ids in either split, whichever is selected', async () => {
  const environment = await openEnvironment('pddl', { games: 'barman' })
  expect(new Set(environment.tasks.map(({ kind }) => kind))).toEqual(new Set(['barman']))
  expect(environment.find('train/gripper/3').kind).toBe('gripper')
  expect((await openEnvironment('pddl', { split: 'train' })).find('tyreworld/9').id).toBe('tyreworld/9')
  expect(await complaint({}, 'griper/0')).toBe(
    "There is no PDDL game 'griper/0'. Did you mean 'gripper/0'? Games of our own are called such as 'gripper/0' and 'train/gripper/0'; for AgentBoard's give 'data'.",
  )
})

type Fields = Readonly<Record<string, unknown>>
type Recorded = Fields & { readonly steps: readonly Fields[]; readonly init?: Fields }

/** The shorter names of a second layout, the one with NLTK's English model. */
const shorter: Readonly<Record<string, string>> = {
  ...{ problem_index: 'idx', observation: 'opening', available_actions_sorted: 'actions0' },
  ...{ action_is_valid: 'valid', order_arbitrary: 'arb' },
}
const of = (fields: Fields, name: string): unknown => fields[name] ?? fields[shorter[name]!]

/** Recorded from AgentBoard's environment. */
describe.skipIf(sharedData === undefined)('recordings of AgentBoard’s PDDL games', async () => {
  const labels = join(sharedData ?? '', 'agentboard_labels', 'pddl_test.jsonl')
  const environment =
    sharedData === undefined ? undefined : await openEnvironment('pddl', { data: join(sharedData, 'pddl'), labels })

  it.each(['transcripts', 'solved', 'transcripts-punkt'])('%s', async (file) => {
    for (const record of sharedRows<Recorded>(`pddl/${file}.jsonl`)) {
      const { game, goal, difficulty, steps, init = record } = record
      const task = environment!.find(`${String(game)}/${String(of(record, 'problem_index'))}`)
      expect(task).toMatchObject({ goal, ...(difficulty !== undefined && { difficulty }) })
      const world = await environment!.begin(task, createRandom('0'))
      const sorted = (): string[] => [...syncWorld(world).admissible()].sort()
      expect(textOf(world.opening)).toBe(of(init, 'observation'))
      expect(sorted()).toEqual(of(init, 'available_actions_sorted'))
      for (const step of steps) {
        const action = step['action'] as string
        const understands = syncWorld(world).understands(action)
        const { observation, progress, ended, understood } = await world.step(action)
        const shown = (text: unknown) => (of(step, 'order_arbitrary') === true ? inAnyOrder(text as string) : text)
        expect([action, shown(textOf(observation)), sorted(), progress, ended === 'success', understood]).toEqual([
          ...[action, shown(step['observation']), step['available_actions_sorted'] ?? step['actions']],
          ...[step['progress'], step['done'], of(step, 'action_is_valid')],
        ])
        if (understood) expect(understands).toBe(true)
      }
    }
  })

  it('have AgentBoard’s 60 tasks in its order', () => {
    const count = (game: string): number => environment!.tasks.filter(({ kind }) => kind === game).length
    expect(['gripper', 'blockworld', 'barman', 'tyreworld'].map(count)).toEqual([20, 10, 20, 10])
    expect(environment!.tasks[21]!.id).toBe('blockworld/1')
    expect(environment!.tasks.filter(({ difficulty }) => difficulty === 'easy')).toHaveLength(36)
  })
})

/** Sorts the items of lists of actions, and the words of other text whose order does not matter. */
function inAnyOrder(observation: string): readonly string[] {
  const lead = 'Valid actions are: '
  return observation.startsWith(lead)
    ? observation.slice(lead.length).split(', ').sort()
    : observation.split(' ').sort()
}
