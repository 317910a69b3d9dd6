import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SftJob } from '../../../src/training/sft/export-sft.js'
import { exportSft } from '../../../src/training/sft/export-sft.js'
import { scratchFolder } from '../../scratch.js'

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url))

const above = scratchFolder()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(above, 'x'))
})

const run = (job: Partial<SftJob> = {}) =>
  exportSft({
    data: [fixture('sft/trajectories.jsonl')],
    folder,
    name: 'mine',
    setting: 'refinement',
    trainer: 'sharegpt',
    force: false,
    ...job,
  })
const written = (name: string): string => readFileSync(join(folder, name), 'utf8')

describe('exporting training files', () => {
  it('writes ShareGPT rows with a loss for each turn, counts them, and adds them to the list', async () => {
    writeFileSync(join(folder, 'dataset_info.json'), '{"other": {}, "mine": {}}')
    const outcome = await run()
    expect(outcome).toMatchObject({
      rows: 3,
      turns: 11,
      masked: 5,
      kinds: { right: 3, wrong: 4, correction: 3, ready: 1 },
      leftOut: {},
      problemCount: 0,
    })
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
    const info = JSON.parse(written('dataset_info.json')) as Record<string, object>
    expect(Object.keys(info)).toEqual(['other', 'mine'])
    expect(info['mine']).toMatchObject({ file_name: 'mine.jsonl', tags: { role_tag: 'from', assistant_tag: 'gpt' } })
  })

  it.each([['{"lima": '], ['[]'], ['{"lima": 1}']])('refuses the broken list %s and changes nothing', async (text) => {
    writeFileSync(join(folder, 'dataset_info.json'), text)
    await expect(run()).rejects.toThrow(/dataset_info/)
    expect(readdirSync(folder)).toEqual(['dataset_info.json'])
    expect(written('dataset_info.json')).toBe(text)
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
