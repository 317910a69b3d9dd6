import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SftJob } from '../../../src/training/sft/export-sft.js'
import { exportSft } from '../../../src/training/sft/export-sft.js'

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url))
const trajectories = fixture('sft/trajectories.jsonl')

let above: string
let folder: string
let count = 0
beforeAll(() => {
  above = mkdtempSync(join(tmpdir(), 'shaketable-sft-'))
})
beforeEach(() => {
  folder = join(above, String(count++))
})
afterAll(() => rmSync(above, { recursive: true }))

const run = (job: Partial<SftJob> = {}) =>
  exportSft({
    data: [trajectories],
    folder,
    name: 'mine',
    setting: 'refinement',
    trainer: 'sharegpt',
    force: false,
    ...job,
  })
const written = (name: string): string => readFileSync(join(folder, name), 'utf8')
const info = (): unknown => JSON.parse(written('dataset_info.json'))
const place = (name: string, text: string | Buffer): string => {
  const path = join(above, name)
  writeFileSync(path, text)
  return path
}
const row = (id: string, more: object = {}): string =>
  JSON.stringify({
    id,
    ...more,
    conversations: [
      { from: 'human', value: 'a' },
      { from: 'gpt', value: 'b' },
    ],
  })

describe('exporting training files', () => {
  it('writes ShareGPT rows with a loss for each turn, counts them, and adds them to the list', async () => {
    const outcome = await run()
    expect(outcome).toMatchObject({
      rows: 3,
      turns: 11,
      masked: 5,
      kinds: { right: 3, wrong: 4, correction: 3, ready: 1 },
      leftOut: {},
      problemCount: 0,
    })
    expect(outcome.size.learnedTokens).toBeGreaterThan(0)
    expect(outcome.size.tokens).toBeGreaterThan(outcome.size.learnedTokens)
    const lines = written('mine.jsonl').trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(JSON.parse(lines[2]!)).toEqual({
      id: 'household_2',
      conversations: [
        { from: 'human', loss: null, value: 'You play in a household.' },
        { from: 'gpt', loss: false, value: 'Ok.' },
        { from: 'human', loss: null, value: 'You see a desk 1.' },
        { from: 'gpt', loss: true, value: 'Action: go to desk 1' },
      ],
    })
    expect(info()).toEqual({
      mine: {
        file_name: 'mine.jsonl',
        formatting: 'sharegpt',
        columns: { messages: 'conversations' },
        tags: {
          role_tag: 'from',
          content_tag: 'value',
          user_tag: 'human',
          assistant_tag: 'gpt',
          system_tag: 'system',
        },
      },
    })
  })

  it.each([
    ['{"lima": ', 'it is not JSON'],
    ['[]', 'it holds something else'],
    ['{"lima": 1}', "its entry 'lima' is not an object"],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'expected text in UTF-8'],
  ])('refuses a broken list and changes nothing', async (text, why) => {
    await run({ name: 'first' })
    writeFileSync(join(folder, 'dataset_info.json'), text)
    await expect(run()).rejects.toThrow(why)
    expect(readdirSync(folder).sort()).toEqual(['dataset_info.json', 'first.jsonl'])
    expect(readFileSync(join(folder, 'dataset_info.json'))).toEqual(Buffer.from(text))
  })

  it('refuses an existing file, unless replacing is requested', async () => {
    await run()
    await expect(run()).rejects.toThrow('mine.jsonl is there already')
    await expect(run({ force: true })).resolves.toMatchObject({ rows: 3 })
  })

  it('leaves nothing behind when it is interrupted', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(run({ signal: stop.signal })).rejects.toThrow()
    expect(readdirSync(folder)).toEqual([])
  })

  it('reads trajectories with the error flags of a DM', async () => {
    const outcome = await run({ data: [fixture('verify/trajectories.jsonl'), fixture('verify/good.json')] })
    expect(outcome).toMatchObject({ rows: 7, problemCount: 0 })
    expect(outcome.kinds.wrong).toBeGreaterThan(7)
    expect(written('mine.jsonl')).toContain('Thought: I have to open it first.\\nAction: open fridge')
  })
})

describe('exporting broken data', () => {
  const good = `${row('a')}\n`
  it.each<[string, string | Buffer, number, string]>([
    ['a file that breaks off', `${good}${row('b').slice(0, 40)}`, 1, 'the file ends here'],
    ['a duplicate id, which is reported', `${good}${good}`, 2, "its id 'a' has come before"],
    ['unknown keys, which are left out', `${row('a', { extra: { deep: 1 } })}\n`, 1, ''],
    ['a record of other keys', `${good}{"text": 1}\n`, 1, 'got the keys text'],
    ['a turn without a role', `${good}{"id":"b","conversations":[{"value":"x"}]}\n`, 1, 'expected a role'],
  ])('continues after %s', async (_, text, rows, message) => {
    const outcome = await run({ data: [place('data.jsonl', text)] })
    expect(outcome.written.records).toBe(rows)
    expect(outcome.problems.map((problem) => problem.message).join()).toContain(message)
    expect(Object.keys(JSON.parse(written('mine.jsonl').split('\n')[0]!) as object)).toEqual(['id', 'conversations'])
  })
})
