import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createOracle } from '../../../baselines/oracle.js'
import { act } from '../../../src/agents/act.js'
import type { Played } from '../../../src/play/play.js'
import { play } from '../../../src/play/play.js'
import { createRandom } from '../../../src/core/random.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { sharedData } from '../../shared-data.js'

const row = { id: 0, task: 'babyai', goal: 'go to the red ball', subgoals: ['a', 'b*c'], difficulty: 'easy' }
const line = (changes: object = {}): string => JSON.stringify({ ...row, ...changes })

function write(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'shaketable-')), 'labels.jsonl')
  writeFileSync(path, text)
  return path
}

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
