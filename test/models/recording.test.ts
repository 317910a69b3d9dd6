import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../src/core/errors.js'
import { CallError } from '../../src/models/call-error.js'
import type { Completion, Message, Model, Sampling } from '../../src/core/model.js'
import { Recording, replayModel, withRecording } from '../../src/models/recording.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()
const gone = new ShaketableError('model', 'gone')
let paths = 0
const freshPath = (): string => join(scratch, `path-${String(paths++)}`)

/** A model that never gives the same reply twice, like one on a server at temperature 1. */
function noisy(changes: Partial<Model> = {}): Model & { readonly calls: () => number } {
  let calls = 0
  return {
    name: 'noisy',
    settings: { endpoint: 'http://localhost/v1' },
    complete: (): Completion => ({ text: `look ${String(++calls)}`, finish: 'stop', promptTokens: 50 + calls }),
    ...changes,
    calls: () => calls,
  }
}

const other = (episode: string, number = 0): Partial<Sampling> => ({ call: { episode, number } })

/** The nth request of an agent in an episode: a prompt that grows. */
function ask(number: number, changes: Partial<Sampling> = {}): [readonly Message[], Sampling] {
  const content = `Go.\n${'Action: look\nObservation: a room\n'.repeat(number)}Action: `
  const call = other('household · task 1 · none · act', number)
  return [[{ role: 'user', content }], { temperature: 1, seed: 0, maxTokens: 100, stop: ['\n'], ...call, ...changes }]
}

type Calls = readonly Parameters<typeof ask>[]

async function askAll(model: Model, calls: Calls): Promise<Completion[]> {
  const replies: Completion[] = []
  for (const call of calls) replies.push(await model.complete(...ask(...call)))
  return replies
}

async function record(path: string, calls: Calls, model: Model = noisy()): Promise<Completion[]> {
  const recording = await Recording.write(path)
  try {
    return await askAll(withRecording(model, recording), calls)
  } finally {
    await recording.close()
  }
}

/** Requests a reply from a recording; returns the reply, or the message of the error. */
function replay(path: string, ...call: Parameters<typeof ask>): unknown {
  const recorded = Recording.read(path)
  try {
    return replayModel(recorded, 'noisy').complete(...ask(...call))
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    return thrown.message.replaceAll(path, 'FILE')
  }
}

describe('a recording', () => {
  it('replays exactly what was recorded, and keeps apart equal requests of different episodes', async () => {
    const path = freshPath()
    const calls: Calls = [[0], [1], [0, other('household · task 1 · placebo · act')], [0, { seed: 1 }]]
    const replies = await record(path, calls)
    expect(new Set(replies.map(({ text }) => text)).size).toBe(4)
    expect(calls.map((call) => replay(path, ...call))).toEqual(replies)
    expect(existsSync(`${path}.lock`)).toBe(false)
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)))
    expect(replay(`${path}.gz`, 1)).toEqual(replies[1])
  })

  it('keeps every field of a reply, and the settings of its model', async () => {
    const path = freshPath()
    const whole: Completion = {
      ...({ text: 'look \ud83d\ude00 \ud800', finish: 'tool', reasoning: 'hm', unclosed: true } as const),
      toolCalls: [{ name: 'go', arguments: '{"to":"desk 1"}' }],
      ...{ promptTokens: 3, completionTokens: 0, day: '2026-11-22' },
      attempts: [{ outcome: 'rate-limit', status: 429, waitMs: 0, milliseconds: 12.5, requestId: 'r-1' }],
    }
    await record(path, [[0]], noisy({ complete: () => whole, contextTokens: 4096 }))
    expect(replay(path, 0)).toEqual(whole)
    const recorded = Recording.read(path)
    expect(replayModel(recorded, 'noisy')).toMatchObject({ settings: noisy().settings, contextTokens: 4096 })
    expect(() => replayModel(recorded, 'noisi')).toThrow("Unknown recorded model 'noisi'. Did you mean 'noisy'?")
  })

  it('keeps calls without a reply, but no aborted ones and none that failed on our side', async () => {
    const path = freshPath()
    const attempt = { outcome: 'overflow', status: 400, waitMs: 0, milliseconds: 3 } as const
    const overflow = new CallError('context-overflow', 'too long', {}, [attempt])
    const thrown: unknown[] = [overflow, gone, new TypeError('a bug'), overflow]
    const model = noisy({ complete: () => Promise.reject(thrown.shift() as Error) })
    const calls: Calls = [[0], [1], [2], [3, { signal: AbortSignal.abort() }]]
    for (const call of calls) await expect(record(path, [call], model)).rejects.toThrow()
    const recorded = Recording.read(path)
    expect(recorded.already).toBe(2)
    const missed: Error[] = []
    const again = replayModel(recorded, 'noisy', (error) => missed.push(error))
    expect(() => again.complete(...ask(0))).toThrow(overflow)
    expect(() => again.complete(...ask(1))).toThrow(gone)
    expect(missed).toEqual([])
  })

  it('continues an existing file for one writer and one model, and answers what it has but no failure', async () => {
    const path = freshPath()
    await expect(record(path, [[2]], noisy({ complete: () => Promise.reject(gone) }))).rejects.toThrow(gone)
    const first = await record(path, [[0], [1]])
    const second = await record(path, [[1], [2]], noisy({ complete: () => ({ text: 'again' }) }))
    expect(second).toEqual([first[1], { text: 'again' }])
    expect([0, 1, 2].map((number) => replay(path, number))).toEqual([...first, { text: 'again' }])
    await expect(record(path, [], noisy({ settings: { endpoint: 'elsewhere' } }))).rejects.toThrow(
      /another model of the name 'noisy': recorded .*localhost.*, now .*elsewhere/,
    )
    const recording = await Recording.write(path)
    await expect(Recording.write(path)).rejects.toThrow(/^Another writer holds .*or give --record another file/)
    await recording.close()
  })

  it('ends the run once it cannot be written, so that no episode is stored without its exchanges', async () => {
    const path = freshPath()
    const recording = await Recording.write(path)
    await recording.flush()
    rmSync(path)
    await withRecording(noisy(), recording).complete(...ask(0))
    await expect(recording.flush()).rejects.toThrow('it was removed, replaced or changed')
    await expect(recording.close()).rejects.toThrow(ShaketableError)
  })

  it.each([
    [[1, { temperature: 0 }], 'the temperature (recorded 1, asked 0)'],
    [[1, { seed: 7 }], 'the seed (recorded 0, asked 7)'],
    [[1, { stop: [] }], 'the stop strings (recorded ["\\n"], asked [])'],
    [[1, { tools: [{ name: 'go', description: '', parameters: [] }] }], 'the tools'],
    [[1, other('placebo', 1)], 'the episode (recorded household · task 1 · none · act, asked placebo)'],
    [[3, other('household · task 1 · none · act', 1)], 'the messages'],
  ] as const)('says how a call that was not recorded differs from the nearest one: %j', async (call, difference) => {
    const path = freshPath()
    await record(path, [[0], [1]])
    const said = replay(path, ...(call as unknown as Calls[number])) as string
    expect(said).toMatch(/^FILE has no reply to call 2 of .*, model noisy, temperature [01], seed/)
    expect(said).toContain(`the nearest exchange in it differs in ${difference}. Replay the experiment`)
  })

  it('loses only the line that was being written, wherever that was', async () => {
    const path = freshPath()
    const replies = await record(path, [[0], [1], [2]])
    const whole = readFileSync(path)
    const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1
    for (const length of [whole.length - 1, lastLine + 30, lastLine + 1]) {
      writeFileSync(path, whole.subarray(0, length))
      const recorded = Recording.read(path)
      expect(recorded.notes).toEqual([`${path}: the last line is unfinished and left out.`])
      const recording = await Recording.write(path)
      expect(recording.notes[0]).toMatch(/cut 1 unfinished last line \(\d+ bytes\)\.$/)
      await recording.close()
      expect([0, 1].map((number) => replay(path, number))).toEqual(replies.slice(0, 2))
      expect(replay(path, 2)).toContain('has no reply to call 3')
    }
    writeFileSync(path, whole.subarray(0, 5))
    expect(await record(path, [[0]])).toEqual([replay(path, 0)])
  })

  it('names a line that cannot be read, and replays the others', async () => {
    const path = freshPath()
    const replies = await record(path, [[0], [1], [2]])
    const lines = readFileSync(path, 'utf8').split('\n')
    lines[3] = lines[3]!.slice(200)
    writeFileSync(path, lines.join('\n'))
    const recorded = Recording.read(path)
    expect(recorded.notes).toEqual([expect.stringContaining(`${path}:4: DAMAGED`)])
    expect([0, 2].map((number) => replay(path, number))).toEqual([replies[0], replies[2]])
    expect(replay(path, 1)).toContain('has no reply to call 2')
  })

  it.each([
    ['dear diary', /which begins with \{"recording":1\}, got "dear diary"/],
    ['{"key":"a row of a run"}\n', /which begins with/],
    ['{"recording":2}\n', /expected a recording of this version/],
  ])('is not taken from a file that is something else: %j', async (text, message) => {
    const path = freshPath()
    writeFileSync(path, text)
    expect(() => Recording.read(path)).toThrow(message)
    await expect(Recording.write(path)).rejects.toThrow(message)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(existsSync(`${path}.lock`)).toBe(false)
    expect(() => Recording.read(`${path}-nowhere`)).toThrow(/no such file/)
    await expect(Recording.write(scratch)).rejects.toThrow(/got a folder/)
  })
})
