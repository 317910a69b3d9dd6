import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import { CallError } from '../../../src/models/call-error.js'
import { withChecksum } from '../../../src/files/checksum.js'
import type { Completion, Sampling } from '../../../src/core/model.js'
import { ExchangeFile } from '../../../src/models/recording/exchange-file.js'
import { replayModel, withRecording } from '../../../src/models/recording/uses.js'
import { ask, noisy, scratchPaths } from './_noisy.js'

const freshPath = scratchPaths('recording')

/** Records calls one after another. */
async function record(path: string, calls: readonly Parameters<typeof ask>[], model = noisy()): Promise<Completion[]> {
  const recording = await ExchangeFile.write(path)
  try {
    const recorder = withRecording(model, recording)
    const replies: Completion[] = []
    for (const call of calls) replies.push(await recorder.complete(...ask(...call)))
    return replies
  } finally {
    await recording.close()
  }
}

/** Requests a reply from a recording; returns the reply, or the message of the error. */
function replay(path: string, ...call: Parameters<typeof ask>): unknown {
  const recorded = ExchangeFile.read(path)
  try {
    return replayModel(recorded, 'noisy').complete(...ask(...call))
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    return thrown.message.replaceAll(path, 'FILE')
  } finally {
    void recorded.close()
  }
}

const other = (episode: string, number = 0): Partial<Sampling> => ({ call: { episode, number } })

describe('a recording', () => {
  it('replays exactly what was recorded, and keeps apart equal requests of different episodes', async () => {
    const path = freshPath()
    const calls: Parameters<typeof ask>[] = [
      [0],
      [1],
      [0, other('household · task 1 · placebo · act')],
      [0, { seed: 1 }],
    ]
    const replies = await record(path, calls)
    expect(new Set(replies.map(({ text }) => text)).size).toBe(4)
    expect(calls.map((call) => replay(path, ...call))).toEqual(replies)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  it('keeps reasoning, called functions, attempts and settings', async () => {
    const path = freshPath()
    const whole: Completion = {
      text: 'look \ud83d\ude00 \ud800',
      finish: 'tool',
      reasoning: 'hm',
      unclosed: true,
      toolCalls: [{ name: 'go', arguments: '{"to":"desk 1"}' }],
      promptTokens: 3,
      completionTokens: 0,
      attempts: [{ outcome: 'rate-limit', status: 429, waitMs: 0, milliseconds: 12.5, requestId: 'r-1' }],
    }
    await record(path, [[0]], noisy({ complete: () => whole, contextTokens: 4096 }))
    expect(replay(path, 0)).toEqual(whole)
    const recorded = ExchangeFile.read(path)
    const { name, settings, contextTokens } = replayModel(recorded, 'noisy')
    await recorded.close()
    expect({ name, settings, contextTokens }).toEqual({
      name: 'noisy',
      settings: { endpoint: 'http://localhost/v1' },
      contextTokens: 4096,
    })
  })

  it('keeps calls without a reply, but no aborted ones and none that failed on our side', async () => {
    const path = freshPath()
    const attempts = [{ outcome: 'overflow', status: 400, waitMs: 0, milliseconds: 3 }] as const
    const thrown: unknown[] = [
      new CallError('context-overflow', 'too long', attempts),
      new ShaketableError('model', 'gone'),
    ]
    const recording = await ExchangeFile.write(path)
    const model = withRecording(noisy({ complete: () => Promise.reject(thrown.shift() as Error) }), recording)
    await expect(model.complete(...ask(0))).rejects.toThrow('too long')
    await expect(model.complete(...ask(1))).rejects.toThrow('gone')
    thrown.push(new TypeError('a bug'), new ShaketableError('model', 'late'))
    await expect(model.complete(...ask(2))).rejects.toThrow('a bug')
    await expect(model.complete(...ask(3, { signal: AbortSignal.abort() }))).rejects.toThrow('late')
    await recording.close()
    const recorded = ExchangeFile.read(path)
    expect(recorded.already).toBe(2)
    const again = replayModel(recorded, 'noisy')
    expect(() => again.complete(...ask(0))).toThrow(new CallError('context-overflow', 'too long', attempts))
    expect(() => again.complete(...ask(1))).toThrow(new ShaketableError('model', 'gone'))
    await recorded.close()
  })

  it('gives callers without episodes their replies in order', async () => {
    const path = freshPath()
    const recording = await ExchangeFile.write(path)
    const [messages, { temperature, seed, maxTokens, stop }] = ask(0)
    const sampling = { temperature, seed, maxTokens, stop }
    const model = withRecording(noisy(), recording)
    const said = [await model.complete(messages, sampling), await model.complete(messages, sampling)]
    await recording.close()
    const recorded = ExchangeFile.read(path)
    const again = replayModel(recorded, 'noisy')
    expect([again.complete(messages, sampling), again.complete(messages, sampling)]).toEqual(said)
    expect(() => again.complete(messages, sampling)).toThrow('differs in the number of the call (recorded 2, asked 3)')
    await recorded.close()
  })

  it('continues an existing file, and the last of equal exchanges counts', async () => {
    const path = freshPath()
    const first = await record(path, [[0], [1]])
    const second = await record(path, [[1], [2]], noisy({ complete: () => ({ text: 'again' }) }))
    expect([0, 1, 2].map((number) => replay(path, number))).toEqual([first[0], ...second])
    await expect(record(path, [], noisy({ settings: { endpoint: 'elsewhere' } }))).rejects.toThrow(
      /holds another model of the name 'noisy': recorded .*localhost.*, now .*elsewhere/,
    )
  })

  it('stores common parts of prompts once', async () => {
    const path = freshPath()
    const numbers = Array.from({ length: 100 }, (_, index) => index)
    await record(
      path,
      ['none', 'placebo'].flatMap((column) =>
        numbers.map((number) => [number, other(column, number)] as [number, object]),
      ),
    )
    const prompts = 2 * numbers.reduce((sum, number) => sum + JSON.stringify(ask(number)[0]).length, 0)
    expect(statSync(path).size).toBeLessThan(prompts / 6)
    const recorded = ExchangeFile.read(path)
    const texts = [...recorded.questions()].map((question) => recorded.prompt(question))
    await recorded.close()
    expect(texts.map((text) => (JSON.parse(text!) as unknown[])[1])).toEqual(
      [...numbers, ...numbers].map((number) => ask(number)[0]),
    )
  })

  it('refuses a second writer', async () => {
    const path = freshPath()
    const recording = await ExchangeFile.write(path)
    await expect(ExchangeFile.write(path)).rejects.toThrow(/^Another writer holds .*or give --record another file/)
    await recording.close()
    await (await ExchangeFile.write(path)).close()
  })
})

describe('a call that was not recorded', () => {
  it.each([
    ['the temperature', [1, { temperature: 0 }], 'the temperature (recorded 1, asked 0)'],
    ['the seed', [1, { seed: 7 }], 'the seed (recorded 0, asked 7)'],
    ['the reply limit', [1, { maxTokens: 50 }], 'the most tokens of a reply (recorded 100, asked 50)'],
    ['the stops', [1, { stop: [] }], 'the stop strings (recorded ["\\n"], asked [])'],
    [
      'the tools',
      [1, { tools: [{ name: 'go', description: '', parameters: [] }] }],
      'the tools (recorded none, asked go)',
    ],
    [
      'the column',
      [1, other('household · task 1 · placebo · act', 1)],
      'the episode (recorded household · task 1 · none · act, asked household · task 1 · placebo · act)',
    ],
    [
      'a word',
      [3, other('household · task 1 · none · act', 1)],
      'the messages (message 2 of 2, user, at character 992: recorded "m 0\\nAction: ", asked "m 0\\nAction: look\\nObservation: room 1\\nAct")',
    ],
  ] as const)('is distinguished from the nearest one by %s', async (_, call, difference) => {
    const path = freshPath()
    await record(path, [[0], [1]])
    const said = replay(path, ...(call as unknown as Parameters<typeof ask>)) as string
    expect(said).toMatch(
      /^FILE has no reply to call 2 of household · task 1 · \w+ · act, model noisy, temperature [01], seed/,
    )
    expect(said).toContain(`the nearest exchange in it differs in ${difference}. Replay the experiment`)
  })

  it('is reported before the error is thrown, and so is a damaged exchange', async () => {
    const path = freshPath()
    await record(path, [[0]])
    const old = readFileSync(path, 'utf8').replaceAll(/,"crc":"[0-9a-f]{8}"}/g, '}')
    writeFileSync(path, old.replace('"reply":{"text":', '"reply":{"text":7,"was":'))
    const recorded = ExchangeFile.read(path)
    const received: string[] = []
    const model = replayModel(recorded, 'noisy', ({ message }) => received.push(message))
    expect(() => model.complete(...ask(1))).toThrow()
    expect(() => model.complete(...ask(0))).toThrow()
    await recorded.close()
    expect(received[0]).toContain('has no reply')
    expect(received[1]).toMatch(/expected an exchange at byte \d+, got something unreadable/)
  })

  it('of a model that was not recorded is refused with the nearest name', async () => {
    const path = freshPath()
    await record(path, [[0]])
    const recorded = ExchangeFile.read(path)
    expect(() => replayModel(recorded, 'noisi')).toThrow("Unknown recorded model 'noisi'. Did you mean 'noisy'?")
    await recorded.close()
  })
})

describe('an invalid file of a recording', () => {
  it('is refused in one sentence if it is missing, a folder, something else or of another format', async () => {
    const path = freshPath()
    expect(() => ExchangeFile.read(path)).toThrow(
      `${path}: expected a recording, there is no such file. Check the path.`,
    )
    mkdirSync(path)
    expect(() => ExchangeFile.read(path)).toThrow(
      `Cannot read ${path} (it is a folder, not a regular file). Check the path, its permissions and the disk.`,
    )
    await expect(ExchangeFile.write(path)).rejects.toThrow(/got a folder/)
    const text = `${path}.txt`
    writeFileSync(text, 'dear diary')
    expect(() => ExchangeFile.read(text)).toThrow(
      /expected a recording, which begins with {"recording":1}, got "dear diary"/,
    )
    await expect(ExchangeFile.write(text)).rejects.toThrow(/expected a recording/)
    expect(readFileSync(text, 'utf8')).toBe('dear diary')
    expect(existsSync(`${text}.lock`)).toBe(false)
    for (const rows of [2, 9]) {
      writeFileSync(text, `${withChecksum('{"key":"a row of a run"}')}\n`.repeat(rows))
      expect(() => ExchangeFile.read(text)).toThrow(/expected a recording, which begins with/)
    }
    writeFileSync(text, '{"recording":2}\n')
    expect(() => ExchangeFile.read(text)).toThrow(
      /expected a recording of format 1, got format 2\. It was written by another/,
    )
    writeFileSync(text, '')
    expect(() => replayModel(ExchangeFile.read(text), 'noisy')).toThrow(/holds no model/)
  })

  it('loses only the line that was being written, wherever that was', async () => {
    const path = freshPath()
    const replies = await record(path, [[0], [1], [2]])
    const whole = readFileSync(path)
    const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1
    for (const length of [whole.length - 1, lastLine + 30, lastLine + 1]) {
      writeFileSync(path, whole)
      truncateSync(path, length)
      const recorded = ExchangeFile.read(path)
      expect(recorded.notes).toEqual([`${path}: the last line is unfinished and left out.`])
      expect(recorded.already).toBe(2)
      await recorded.close()
      const recording = await ExchangeFile.write(path)
      expect(recording.notes[0]).toMatch(/cut 1 unfinished last line \(\d+ bytes\)\.$/)
      await recording.close()
      expect([0, 1].map((number) => replay(path, number))).toEqual(replies.slice(0, 2))
      expect(replay(path, 2)).toContain('has no reply to call 3')
    }
    writeFileSync(path, whole.subarray(0, 5))
    expect(await record(path, [[0]])).toEqual([replay(path, 0)])
  })

  it('names lines that are damaged in the middle, and replays the others', async () => {
    const path = freshPath()
    const replies = await record(path, [[0], [1], [2]])
    const lines = readFileSync(path, 'utf8').split('\n')
    lines[3] = lines[3]!.slice(200)
    writeFileSync(path, lines.join('\n'))
    const recorded = ExchangeFile.read(path)
    expect(recorded.notes).toEqual([
      `${path}:4: DAMAGED: the line is not as it was written. It is left out; restore the file from a copy, or ask the model again.`,
    ])
    await recorded.close()
    expect(replay(path, 0)).toEqual(replies[0])
    expect(replay(path, 2)).toEqual(replies[2])
    expect(replay(path, 1)).toContain('has no reply to call 2')
    expect(replay(path, 1)).toContain('; its line 4 is damaged, and may have held it.')
    appendFileSync(path, `${withChecksum('{"id":"00000000000000000000","rest":"[","from":0}')}\n`)
    expect(replay(path, 1)).toContain('has no reply to call 2')
  })

  it('never replays an older reply instead of one whose line has a flipped bit, and names that line', async () => {
    const path = freshPath()
    await record(path, [[0], [1], [0], [2]])
    const whole = readFileSync(path)
    const ends = Array.from(whole.entries()).flatMap(([at, byte]) => (byte === 10 ? [at] : []))
    const [start, end] = [ends[3]! + 1, ends[4]!]
    // Every bit of the beginning, which contains the id, and of the line end; one bit of each other byte.
    const bits = Array.from({ length: 8 }, (_, bit) => bit)
    const places = Array.from({ length: end - start + 1 }, (_, index) => start + index)
    for (const at of places) {
      for (const bit of at < start + 30 || at === end ? bits : [at % 8]) {
        const flipped = Buffer.from(whole)
        flipped[at]! ^= 1 << bit
        writeFileSync(path, flipped)
        const said = replay(path, 0)
        expect(typeof said === 'string' ? said : 'replayed', `byte ${String(at - start)}, bit ${String(bit)}`).toMatch(
          /; its lines? 5(?:, 6)? (?:is|are) damaged/,
        )
      }
    }
  })

  it.skipIf(process.getuid?.() === 0)('cannot be created without write permission', async () => {
    const folder = freshPath()
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    await expect(ExchangeFile.write(join(folder, 'tape.jsonl'))).rejects.toThrow(/may not be written to/)
  })
})
