import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BatchOptions } from '../../src/cli/play-batch.js'
import { playBatch } from '../../src/cli/play-batch.js'
import type { OpenedEnvironment } from '../../src/environments/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { sharedData } from '../shared-data.js'
import { syncWorld } from '../sync-world.js'

const household = await openEnvironment('household')
const task = household.tasks[0]!

/** Everything printed for these lines, parsed as JSON. */
async function run(lines: readonly unknown[], options: Partial<BatchOptions> = {}): Promise<Record<string, unknown>[]> {
  const input = new PassThrough()
  const output = new PassThrough()
  input.end(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)) + '\n').join(''))
  const written = text(output)
  const environment: OpenedEnvironment = household
  await playBatch({ environment, applied: [], raw: false, agent: undefined, seed: '0', ...options, input, output })
  output.end()
  return (await written)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

let complaints: string[]
beforeEach(() => {
  complaints = []
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => complaints.push(String(chunk)) > 0)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

/** A solution found by the planner. */
async function solve(): Promise<readonly string[]> {
  const world = await household.begin(task, undefined as never)
  return syncWorld(world).solve()!
}

describe('play --batch', () => {
  it('plays by the protocol to the end of the episode', async () => {
    const solution = await solve()
    const actions = ['  look. ', 'jump', ...solution, 'look']
    const [answer] = await run([{ id: 7, task: task.id, actions }])
    expect(answer).toMatchObject({ id: 7, opening: { goal: task.goal } })
    const { opening, steps } = answer as { opening: { observation: string; admissible: string[] }; steps: object[] }
    expect(opening.admissible.at(-1)).toBe('check valid actions')
    expect(steps).toHaveLength(solution.length + 2)
    expect(steps[0]).toEqual({
      action: '  look. ',
      observation: opening.observation,
      admissible: opening.admissible,
      progress: 0,
      ended: false,
      grounded: true,
    })
    expect(steps[1]).toMatchObject({ observation: 'Nothing happens.', grounded: false })
    expect(steps.at(-1)).toMatchObject({ action: solution.at(-1), progress: 1, ended: 'success', grounded: true })
  })

  it('continues with the bare engine after a win', async () => {
    const solution = await solve()
    const [answer] = await run([{ id: 'a', task: task.id, actions: [...solution, ' look ', 'look.'] }], { raw: true })
    const { opening, steps } = answer as { opening: { observation: string; admissible: string[] }; steps: object[] }
    expect(opening.observation).toMatch(/^-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room\./)
    expect(opening.admissible).not.toContain('check valid actions')
    expect(steps.at(-3)).toMatchObject({ action: solution.at(-1), won: true, score: 1 })
    expect(steps.at(-2)).toMatchObject({
      action: ' look ',
      won: true,
      score: 1,
      observation: expect.stringMatching(/^You are facing/) as string,
    })
    expect(steps.at(-1)).toMatchObject({ observation: 'Nothing happens.', won: true })
    expect(Object.keys(steps[0]!)).toEqual(['action', 'observation', 'admissible', 'won', 'score'])
  })

  it('answers a line that cannot be played with its error and plays the other lines', async () => {
    const good = { id: 'good', task: task.id, actions: [] }
    const answers = await run([
      '{"id": 1,',
      { id: 2, task: task.id },
      { id: 3, task: `${task.id}x`, actions: [] },
      '',
      { id: null, task: task.id, actions: ['look', 5] },
      '[]',
      good,
    ])
    expect(answers.map(({ id, error }) => [id, typeof error])).toEqual([
      [null, 'string'],
      [2, 'string'],
      [3, 'string'],
      [null, 'string'],
      [null, 'string'],
      ['good', 'undefined'],
    ])
    expect(complaints.map((line) => line.slice(0, 8).trim())).toEqual([
      'line 1:',
      'line 2:',
      'line 3:',
      'line 5:',
      'line 6:',
    ])
    expect(complaints[0]).toContain('it is not JSON')
    expect(complaints[1]).toContain("'actions'")
    expect(complaints[2]).toContain(`Did you mean '${task.id}'?`)
    expect(complaints.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
    expect(process.exitCode).toBe(2)
  })

  it('takes separators of lines within strings for what they are', async () => {
    const odd = JSON.stringify({ id: 'a\u2028b', task: task.id, actions: ['look\u2029'] })
    const answers = await run([`\ufeff${odd}`, odd])
    expect(answers.map(({ id }) => id)).toEqual(['a\u2028b', 'a\u2028b'])
    expect((answers[0]!['steps'] as { readonly action: string }[])[0]!.action).toBe('look\u2029')
  })

  it('asks for no lists where they are not wanted', async () => {
    const begin: OpenedEnvironment['begin'] = async (...given) => {
      const world = await household.begin(...given)
      return { ...world, admissible: () => Promise.reject(new Error('a list was asked for')) }
    }
    const environment = { ...household, begin }
    const request = { id: 1, task: task.id, actions: ['look'] }
    const answers = await run([{ ...request, lists: false }, request], { environment })
    expect(answers[0]).toMatchObject({ steps: [{ action: 'look', grounded: true }] })
    expect(answers[1]).toEqual({ id: 1, error: 'a list was asked for' })
  })

  it.skipIf(sharedData === undefined)('equals recordings of the original engine', async () => {
    const folder = join(sharedData!, 'alfworld')
    const environment = await openEnvironment('household', { data: folder, generation: 'old' })
    const lines = readFileSync(join(folder, 'transcripts/old_seen_walk.jsonl'), 'utf8').trim().split('\n').slice(0, 10)
    const recorded = lines.map((line) => JSON.parse(line) as Transcript)
    interface Transcript {
      game: string
      init: { observation: string; admissible_commands: string[] }
      steps: { action: string; observation: string; admissible_commands: string[]; won: boolean; score: number }[]
    }
    const requests = recorded.map(({ game, steps }, id) => ({
      id,
      task: game,
      actions: steps.map(({ action }) => action),
    }))
    const answers = await run(requests, { environment, raw: true })
    expect(answers).toEqual(
      recorded.map(({ init, steps }, id) => ({
        id,
        opening: { observation: init.observation, admissible: init.admissible_commands },
        steps: steps.map(({ action, observation, admissible_commands, won, score }) => {
          return { action, observation, admissible: admissible_commands, won, score }
        }),
      })),
    )
  })
})
