import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { GivenUp } from '../../../src/core/errors.js'
import { CallError } from '../../../src/models/call-error.js'
import type { Message, Model } from '../../../src/core/model.js'
import { profiles } from '../../../src/training/verify/verify-trajectory.js'
import { checkTrajectory, checkedScript } from '../../../src/training/synthesis/check-trajectory.js'
import { ownPersonas } from '../../../src/training/synthesis/read-personas.js'
import { askedTurnsIn, personaIn } from '../../../src/training/synthesis/prompts.js'
import { type SynthesisOptions, synthesise } from '../../../src/training/synthesis/synthesise.js'
import { teacher } from '../../../src/training/synthesis/teacher.js'
import { describeYields, openWorkFolder } from '../../../src/training/synthesis/work-folder.js'
import { scratchFolder } from '../../scratch.js'
import { honey, rightActions, turnsOf } from './_honey.js'

const scratch = scratchFolder()
let folders = 0

async function run(given: Partial<SynthesisOptions> = {}, path = join(scratch, `work-${String(folders++)}`)) {
  const work = await openWorkFolder(path, { of: 'a test' })
  try {
    const end = await synthesise({
      ...{ model: teacher, personas: ownPersonas(), count: 6, work, seed: 0, temperature: 1, maxTokens: 4096 },
      ...{ mistakes: 2, repairs: 2, concurrency: 4, signal: new AbortController().signal, ...given },
    })
    const items = [...work.items.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
    return {
      ...{ end, items, path, yields: describeYields(items) },
      made: items.filter(({ turns }) => turns !== undefined),
      rejected: items.filter(({ turns }) => turns === undefined),
    }
  } finally {
    await work.close()
  }
}

/** A model that says what a function returns, as JSON unless it is text. */
function says(answer: (messages: readonly Message[], number: number) => unknown): Model {
  let asked = 0
  return {
    name: 'stub',
    settings: {},
    complete(messages: readonly Message[]) {
      const value = answer(messages, asked++)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return { text, finish: 'stop' as const, promptTokens: 10, completionTokens: 5 }
    },
  }
}

const isScript = (messages: readonly Message[]): boolean => personaIn(messages) !== undefined

it('a synthesis with the teacher makes trajectories that hold, the same one at a time and many at a time', async () => {
  const { end, items, made } = await run()
  expect(end).toEqual({ verified: 6, open: 0 })
  expect(made).toHaveLength(6)
  for (const row of made) {
    expect(checkTrajectory(row.turns!, checkedScript(row.script), profiles.strict)).toMatchObject({ accepted: true })
  }
  expect((await run({ concurrency: 1 })).items).toEqual(items)
})

describe('replies that cannot be used', () => {
  it('are repaired with the reason, at most twice', async () => {
    const model = says((messages, number) => {
      if (!isScript(messages)) return turnsOf(rightActions).slice(1)
      if (number === 0) return 'Certainly! I cannot write JSON.'
      expect(messages.at(-1)?.content).toContain(number === 1 ? 'expected JSON' : 'Start')
      return number === 1 ? { ...honey, Start: 'attic' } : honey
    })
    const { end, made, yields } = await run({ model, count: 1 })
    expect(end.verified).toBe(1)
    expect(made).toMatchObject([{ requests: 4, refused: [{ rule: 'prose' }, { rule: 'script' }] }])
    expect(yields).toContain(
      '| scripts | 1 | 1 | 100.0 % |\n| trajectories | 1 | 1 | 100.0 % |\n\n4 requests, 60 tokens.',
    )
  })

  it('are counted and kept apart with their reasons, and the run ends where too few hold', async () => {
    const model = says(() => 'no')
    const { end, rejected, yields } = await run({ model, count: 1, personas: ['A cook.'] })
    expect(end).toMatchObject({ verified: 0, stopped: { why: 'yield' } })
    expect(rejected).toHaveLength(104)
    expect(rejected[0]).toMatchObject({ requests: 3, text: 'no' })
    expect(yields).toContain('| script | prose | 312 |')
  })

  it.each([
    ['unsolvable', { ...honey, 'Completion Conditions': ['mug in sink'] }],
    ['code', changed({ 'verification code': '^wash the (.+)$' })],
    ['code', changed({ 'verification code': '(' })],
    ['length', { ...honey, 'Completion Conditions': ['player at cellar'] }],
    ['script', ['not', 'an', 'object']],
  ])('are refused as %s', async (rule, script) => {
    const { rejected } = await run({ model: says(() => script), count: 1, personas: ['A cook.'], repairs: 0 })
    expect(rejected[0]).toMatchObject({ refused: [{ rule }] })
  })

  it('near duplicates are left out, in the order of the personas', async () => {
    const stub = says((messages) => (isScript(messages) ? honey : turnsOf(rightActions).slice(1)))
    const model: Model = {
      ...stub,
      async complete(messages, sampling) {
        if (personaIn(messages) === 'A cook.') await setTimeout(50)
        return stub.complete(messages, sampling)
      },
    }
    const { end, made, rejected } = await run({ model, count: 2, personas: ['A cook.', 'A nurse.'] })
    expect(end.stopped?.why).toBe('yield')
    expect(made).toMatchObject([{ id: 's0000001' }])
    const refused = [{ rule: 'duplicate', evidence: 'nearly the same as s0000001' }]
    expect(rejected[0]).toMatchObject({ refused })
  })

  it('a trajectory is continued from the turns that hold', async () => {
    const model = says((messages, number) => {
      if (isScript(messages)) return honey
      const { turns } = askedTurnsIn(messages)!
      if (number > 1) {
        expect(turns).toHaveLength(5)
        return turnsOf(rightActions).slice(5)
      }
      const cheat = [...rightActions.slice(0, 2), 'take jar of honey from chest', ...rightActions.slice(2)]
      return turnsOf(cheat).slice(1)
    })
    const { made } = await run({ model, count: 1 })
    expect(made).toMatchObject([{ requests: 3, refused: [{ rule: 'world-refuses' }] }])
  })
})

describe('requests that fail', () => {
  it('end a run after five in a row, and leave their personas open', async () => {
    const model = says(() => {
      throw new CallError('model', 'The server is gone.')
    })
    const { end, items } = await run({ model, concurrency: 1 })
    expect(end).toEqual({ verified: 0, open: 5, stopped: { why: 'model', message: 'The server is gone.' } })
    expect(items).toEqual([])
  })

  it.each(['budget', 'interrupted'] as const)('end it (%s), and the next session makes the rest', async (why) => {
    let left = 7
    const stop = new AbortController()
    const poor: Model = {
      ...teacher,
      complete(messages, sampling) {
        if (left-- <= 0 && why === 'budget') throw new GivenUp('The budget of the session is used up.')
        if (left <= 0 && why === 'interrupted') stop.abort()
        return teacher.complete(messages, sampling)
      },
    }
    const { end, path, made } = await run({ model: poor, concurrency: 2, signal: stop.signal })
    expect(end.stopped?.why).toBe(why)
    expect(made.length).toBeGreaterThan(0)
    let asked = 0
    const counted: Model = { ...teacher, complete: (...given) => (asked++, teacher.complete(...given)) }
    const whole = (await run()).items
    expect((await run({ model: counted }, path)).items).toEqual(whole)
    expect(asked).toBeLessThan(whole.reduce((sum, { requests }) => sum + requests, 0))
  })
})

function changed(change: Record<string, unknown>): unknown {
  const actions = honey['Available Actions']
  return { ...honey, 'Available Actions': { ...actions, 'wash {thing}': { ...actions['wash {thing}'], ...change } } }
}
