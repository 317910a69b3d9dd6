import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Engine, compileGame } from '../../../src/environments/household/engine/engine.js'
import type { GameSource } from '../../../src/environments/household/engine/game-file.js'
import { goalSentenceOf, readGameFile, sourceOf } from '../../../src/environments/household/engine/game-file.js'
import { solveHousehold } from '../../../src/environments/household/oracle.js'
import { type Generation, domainText } from '../../../src/environments/household/text/domain.js'
import { sharedData, sharedRows } from '../../shared-data.js'
import { type Turn, type World, createRandom, textOf } from '../../../src/index.js'
import { openEnvironment } from '../../../src/environments/index.js'

type Seen = Readonly<{ observation: string; admissible_commands: readonly string[]; won: boolean }>
interface Recording {
  readonly game: string
  readonly version: Generation
  readonly init: Seen
  readonly steps: readonly (Seen & { readonly action: string; readonly score: number })[]
}

const folder = join(sharedData ?? '', 'alfworld')
const games = join(folder, 'json_2.1.1')

/** A published game in a generation, with its published domain and grammar. */
function published(path: string, generation: Generation): GameSource {
  const file = readGameFile(join(games, path))
  const name = `alfred.${generation === 'old' ? 'old_0.2.2' : 'new_0.4.2'}`
  const read = (extension: string): string => readFileSync(join(folder, 'grammar', `${name}.${extension}`), 'utf8')
  const grammar = read('twl2').replace('UNKNOWN GOAL.', goalSentenceOf(file))
  return sourceOf({ ...file, pddlDomain: read('pddl'), grammar }, path)
}

/** A published game with its own domain or ours, in the wording of a generation. */
function start(path: string, generation: Generation, domain: 'published' | 'our'): Engine {
  const source = published(path, generation)
  return compileGame(domain === 'our' ? { ...source, pddlDomain: domainText(generation) } : source, path).start()
}

const sets = ['new_seen_walk', 'new_seen_random', 'old_seen_walk', 'old_seen_random']

const replayed = sets.flatMap((name) => (['published', 'our'] as const).map((domain) => [name, domain] as const))
it.skipIf(sharedData === undefined).each(replayed)(
  'recordings of the original engine are replayed to the byte: %s, with %s domain',
  (name, domain) => {
    let steps = 0
    for (const { game, version, init, steps: recorded } of sharedRows<Recording>(
      `alfworld/transcripts/${name}.jsonl`,
    )) {
      const engine = start(game, version, domain)
      const look = (observation: string): Seen => {
        return { observation, admissible_commands: engine.admissible(), won: engine.won }
      }
      expect(engine.game.generation).toBe(version)
      expect(init).toMatchObject(look(engine.opening))
      for (const step of recorded) {
        const accepts = engine.accepts(step.action)
        const { observation, accepted } = engine.step(step.action)
        expect(step).toMatchObject({ ...look(observation), score: engine.won ? 1 : 0 })
        expect(accepts).toBe(accepted)
        steps++
      }
    }
    expect(steps).toBeGreaterThan(500)
  },
)

it.skipIf(sharedData === undefined).each([
  ['valid_seen', 140],
  ['valid_unseen', 134],
])(
  'ALFWorld’s games are won in %s: by the walkthrough in both wordings, and by the planner in as few commands',
  (split, count) => {
    const paths = readdirSync(join(games, split), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('game.tw-pddl'))
      .map((path) => join(split, path))
    expect(paths).toHaveLength(count)
    for (const path of paths) {
      const { walkthrough } = JSON.parse(readFileSync(join(games, path), 'utf8')) as { walkthrough: readonly string[] }
      const inOldWords = walkthrough.map((command) => command.replace(/^move (.*) to (.*)$/, 'put $1 in/on $2'))
      const [engine, old] = [start(path, 'new', 'published'), start(path, 'old', 'published')]
      const plan = solveHousehold(engine)!
      expect({ path, length: plan.length }).toEqual({ path, length: walkthrough.length })
      for (const [played, commands] of [
        [engine, plan],
        [engine.game.start(), walkthrough],
        [old, inOldWords],
      ] as const) {
        for (const command of commands) {
          expect(played.won).toBe(false)
          expect([path, command, played.step(command).accepted]).toEqual([path, command, true])
        }
        expect([path, played.won]).toEqual([path, true])
      }
    }
  },
)

type RecordedTurn = Readonly<
  Record<'action' | 'parsed_action' | 'observation', string> & { reward: number; done: boolean; grounded: boolean }
>
type Recorded = Readonly<
  Record<'game' | 'goal', string> & { init: { observation: string }; steps: readonly RecordedTurn[] }
>

describe.skipIf(sharedData === undefined)("episodes of AgentBoard's own wrapper", () => {
  it('are replayed without a difference', async () => {
    const environment = await openEnvironment('household', { data: folder, generation: 'old' })
    const rows = sharedRows<Recorded>('alfworld/agentboard/transcripts.jsonl')
    let steps = 0
    for (const { game, goal, init, steps: recorded } of rows) {
      const world = (await environment.begin(environment.find(game), createRandom('0'))) as World
      expect([textOf(world.opening), world.briefing.goal]).toEqual([init.observation, goal])
      for (const step of recorded) {
        const parsed_action = environment.normalise!(step.action)
        const { observation, original, progress, ended, understood } = world.step(parsed_action) as Turn
        const rest = { reward: progress, done: ended === 'success', grounded: understood }
        expect(step).toMatchObject({ parsed_action, observation: original, ...rest })
        expect(textOf(observation)).toBe(original)
        steps++
      }
    }
    expect([rows.length, steps]).toEqual([90, 2020])
  })

  it('are in the order in which AgentBoard plays the unseen games', async () => {
    const environment = await openEnvironment('household', { data: games })
    type Row = Record<'game' | 'goal' | 'difficulty' | 'task_type', string>
    const rows = JSON.parse(readFileSync(join(folder, 'agentboard_order.json'), 'utf8')) as Row[]
    expect(environment.tasks.map(({ id, goal, difficulty, kind }) => [id, goal, difficulty, kind])).toEqual(
      rows.map(({ game, goal, difficulty, task_type }) => [`valid_unseen/${game}`, goal, difficulty, task_type]),
    )
  })
})
