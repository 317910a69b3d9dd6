import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BatchOptions } from '../../src/cli/play-batch.js'
import { playBatch } from '../../src/cli/play-batch.js'
import { playInTerminal } from '../../src/cli/play.js'
import { definePerturbation, rewordActions } from '../../src/core/perturbation.js'
import { createRandom } from '../../src/core/random.js'
import type { OpenedEnvironment } from '../../src/environments/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { main } from './_command.js'

const household = await openEnvironment('household')
const task = household.tasks[0]!
const solution = (await (await household.begin(task, createRandom('0'))).solve!())!

const walk = definePerturbation({
  name: 'walk',
  summary: '',
  source: 'a test',
  promise: 'invariant',
  open: () => rewordActions({ 'go to {recep}': 'walk to {recep}' }),
})

describe('play --batch', () => {
  let complaints: string[]
  beforeEach(() => {
    complaints = []
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => complaints.push(String(chunk)) > 0)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    process.exitCode = undefined
  })

  /** Everything printed for these lines, parsed as JSON. */
  async function run(lines: readonly unknown[], options: Partial<BatchOptions> = {}) {
    const [input, output] = [new PassThrough(), new PassThrough()]
    input.end(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)) + '\n').join(''))
    const written = text(output)
    const environment: OpenedEnvironment = household
    await playBatch({ environment, applied: [], agent: undefined, seed: '0', ...options, input, output })
    output.end()
    const answers = (await written).split('\n').slice(0, -1)
    return answers.map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  it('plays by the protocol to the end of the episode', async () => {
    const [answer] = await run([{ id: 7, task: task.id, actions: ['  look. ', 'jump', ...solution, 'look'] }])
    expect(answer).toMatchObject({ id: 7, opening: { goal: task.goal } })
    const { opening, steps } = answer as { opening: { observation: string; admissible: string[] }; steps: object[] }
    expect(steps).toHaveLength(solution.length + 2)
    const { observation, admissible } = opening
    expect(steps[0]).toEqual({
      ...{ action: '  look. ', observation, admissible, progress: 0, ended: false, grounded: true },
    })
    expect(steps[1]).toMatchObject({ observation: 'Nothing happens.', grounded: false })
    expect(steps.at(-1)).toMatchObject({ action: solution.at(-1), progress: 1, ended: 'success', grounded: true })
  })

  it('answers a line that cannot be played with its error and plays the other lines', async () => {
    const odd = JSON.stringify({ id: 'a\u2028b', task: task.id, actions: ['look\u2029'] })
    const noList = { id: 'good', task: task.id, actions: ['look'], lists: false }
    const begin: OpenedEnvironment['begin'] = async (...given) => {
      const world = await household.begin(...given)
      return { ...world, admissible: () => Promise.reject(new Error('a list was asked for')) }
    }
    const lines = ['{"id": 1,', { id: 2, task: task.id }, { id: 3, task: `${task.id}x`, actions: [] }, '', odd, noList]
    const answers = await run(lines, { environment: { ...household, begin } })
    expect(answers.map(({ id, error }) => [id, typeof error])).toEqual([
      [null, 'string'],
      [2, 'string'],
      [3, 'string'],
      ['a\u2028b', 'string'],
      ['good', 'undefined'],
    ])
    expect(complaints[2]).toContain(`line 3: `)
    expect(complaints[2]).toContain(`Did you mean '${task.id}'?`)
    expect(process.exitCode).toBe(2)
  })
})

describe('play in a terminal', () => {
  it('shows the goal, both wordings, and what each action did, until the end', async () => {
    const place = solution.find((command) => command.startsWith('go to '))!
    const lines = [place, ...solution.map((command) => command.replace(/^go/, 'walk')), 'look']
    const [input, output] = [new PassThrough(), new PassThrough()]
    const seen = text(output)
    input.end(lines.map((line) => `${line}\n`).join(''))
    const applied = [{ perturbation: walk }]
    await playInTerminal({ environment: household, task, applied, seed: '0', input, output })
    output.end()
    const shown = stripVTControlCharacters(await seen).split('\n')
    expect(shown.slice(0, 2)).toEqual([expect.stringContaining(task.id), `Goal: ${task.goal}`])
    expect(shown).toEqual(
      expect.arrayContaining([
        '> Nothing happens.',
        '  refused: the old wording',
        '  progress 0.00, not understood',
        `  environment: ${place}`,
      ]),
    )
    expect(shown.slice(-3)).toEqual(['  progress 1.00', 'success', ''])
  })

  it('ends with quit, although its input stays open', async () => {
    const child = spawn(process.execPath, [main, 'play', 'babyai'], { stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.write('turn left\nquit\n')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
