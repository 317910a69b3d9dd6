import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createOracle } from '../../../baselines/oracle.js'
import { act } from '../../../src/agents/act.js'
import type { Played } from '../../../src/play/play.js'
import { play } from '../../../src/play/play.js'
import { createRandom } from '../../../src/core/random.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { sharedData } from '../../shared-data.js'

it.skipIf(sharedData === undefined)(
  'AgentBoard’s labels give the oracle its original result: 76 of 112, progress 80.04',
  async () => {
    const babyai = await openEnvironment('babyai', { labels: join(sharedData!, 'agentboard_labels/babyai_test.jsonl') })
    const results: Played['result'][] = []
    for (const task of babyai.tasks) {
      const world = await babyai.begin(task, createRandom(task.id))
      const rules = { agent: act, temperature: 0, seed: 1, stepLimit: 30, maxTokens: 100 }
      results.push((await play({ ...rules, world, model: createOracle() })).result)
    }
    expect(results).toHaveLength(112)
    expect(results.filter(({ outcome }) => outcome === 'success')).toHaveLength(76)
    expect(((100 * results.reduce((sum, { progress }) => sum + progress, 0)) / 112).toFixed(2)).toBe('80.04')
  },
)
