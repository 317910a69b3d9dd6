import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createOracle } from '../../../baselines/oracle.js'
import { act } from '../../../src/agents/act.js'
import type { Played } from '../../../src/play/play.js'
import { play } from '../../../src/play/play.js'
import { createRandom } from '../../../src/core/random.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { readLabels } from '../../../src/environments/babyai/progress.js'
import { sharedData } from '../../shared-data.js'

const row = { id: 0, task: 'babyai', goal: 'go to the red ball', subgoals: ['a', 'b*c'], difficulty: 'easy' }
const line = (changes: object = {}): string => JSON.stringify({ ...row, ...changes })

function write(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'shaketable-')), 'labels.jsonl')
  writeFileSync(path, text)
  return path
}

describe('readLabels', () => {
  it('reads goal, difficulty and sub-goals by task', () => {
    const labels = readLabels(write(`${line()}\n\n${line({ id: '7', difficulty: 'hard', more: 1 })}\n`))
    expect([...labels]).toEqual([
      ['0', { goal: row.goal, difficulty: 'easy', subGoals: ['a', 'b*c'] }],
      ['7', { goal: row.goal, difficulty: 'hard', subGoals: ['a', 'b*c'] }],
    ])
  })

  it('reads every further key that contains subgoals as an alternative way', () => {
    const labels = readLabels(write(line({ subgoals_1: ['d'], subgoals_2: ['e'] })))
    expect(labels.get('0')!.subGoals).toEqual([['a', 'b*c'], ['d'], ['e']])
  })

  it.each([
    ['a line that is not JSON', '{"id":', /labels\.jsonl:2: it is not JSON/],
    ['a line that is not an object', '[]', /labels\.jsonl:2: expected a task with id/],
    ['an unknown difficulty', line({ difficulty: 'middling' }), /:2: .* at 'difficulty'/],
    ['no sub-goals', line({ subgoals: [] }), /:2: .* at 'subgoals'/],
    ['a sub-goal that is too long', line({ subgoals: ['a'.repeat(2001)] }), /:2: .* at 'subgoals\.0'/],
    ['labels of another environment', line({ task: 'pddl' }), /:2: .* at 'task'/],
  ])('refuses %s, with the line', (_, bad, message) => {
    const path = write(`${line()}\n${bad}\n`)
    expect(() => readLabels(path)).toThrow(refusal(message))
  })

  it('refuses a file that does not exist, or is too big', async () => {
    const opened = openEnvironment('babyai', { labels: '/nowhere/test.jsonl' })
    await expect(opened).rejects.toThrow(refusal(/\/nowhere\/test\.jsonl/))
    const path = write('')
    truncateSync(path, (64 << 20) + 1)
    expect(() => readLabels(path)).toThrow(refusal(/more than 67,108,864 bytes/))
  })

  it('gives the tasks their difficulties, other hashes, and the environment another setting', async () => {
    const plain = await openEnvironment('babyai', {})
    const labelled = await openEnvironment('babyai', { labels: write(line({ difficulty: 'hard' })) })
    expect(labelled.find('0').difficulty).toBe('hard')
    expect(labelled.find('1').difficulty).toBeUndefined()
    expect(labelled.find('0').hash).not.toBe(plain.find('0').hash)
    expect(labelled.find('1').hash).toBe(plain.find('1').hash)
    expect(labelled.settings.labels).not.toBe(plain.settings.labels)
  })
})

/** The oracle's results with these labels, in the given tasks or in all. */
async function solve(labels: string, ids?: readonly string[]): Promise<readonly Played['result'][]> {
  const babyai = await openEnvironment('babyai', { labels })
  const results: Played['result'][] = []
  for (const task of babyai.tasks.filter(({ id }) => ids?.includes(id) ?? true)) {
    const world = await babyai.begin(task, createRandom(task.id))
    const model = createOracle()
    results.push(
      (await play({ world, agent: act, model, temperature: 0, seed: 1, stepLimit: 30, maxTokens: 100 })).result,
    )
  }
  return results
}

it('describes whose sub-goals are used and which ends count', async () => {
  const measureOf = async (options: Record<string, unknown>): Promise<string> =>
    (await openEnvironment('babyai', options)).measure!
  const all = Array.from({ length: 112 }, (_, id) => line({ id })).join('\n')
  const ends = 'an end at progress 0.5 or less is forgotten, as in AgentBoard'
  const own = "progress by shaketable's own sub-goals"
  expect(await measureOf({})).toBe(`${own}, not AgentBoard's labels; ${ends}; not comparable with published rows`)
  expect(await measureOf({ labels: write(all) })).toBe(
    `progress by AgentBoard's labels; ${ends}; comparable with published rows`,
  )
  expect(await measureOf({ labels: write(line()) })).toBe(
    `progress by AgentBoard's labels on 1 of 112 tasks, by shaketable's own sub-goals elsewhere; ${ends}; not comparable with published rows`,
  )
  expect(await measureOf({ labels: write(all), split: 'train' })).toMatch(/^progress by shaketable's own/)
})

describe('the measure of AgentBoard’s labels', () => {
  const said = 'You are'
  it.each([
    ['all sub-goals observed', [said, said], { outcome: 'success', progress: 1 }],
    ['one of three not observed', [said, said, 'never said'], { outcome: 'success', progress: 2 / 3 }],
    ['half of them not seen: the end is ignored', [said, said, 'no', 'no'], { outcome: 'step-limit', progress: 0.5 }],
  ])('%s', async (_, subgoals, expected) => {
    expect(await solve(write(line({ id: '0', subgoals })), ['0'])).toMatchObject([expected])
  })

  it.skipIf(sharedData === undefined)('gives the oracle its original result: 76 of 112, progress 80.04', async () => {
    const results = await solve(join(sharedData!, 'agentboard_labels/babyai_test.jsonl'))
    expect(results).toHaveLength(112)
    expect(results.filter(({ outcome }) => outcome === 'success')).toHaveLength(76)
    expect(((100 * results.reduce((sum, { progress }) => sum + progress, 0)) / 112).toFixed(2)).toBe('80.04')
  })
})

function refusal(message: RegExp): Error {
  return expect.objectContaining({ code: 'bad-input', message: expect.stringMatching(message) as string }) as Error
}
