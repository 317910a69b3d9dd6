import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { findAgent } from '../../src/agents/index.js'
import type { Environment, Task } from '../../src/core/environment.js'
import { createRandom } from '../../src/core/random.js'
import { findEnvironmentKind, openEnvironment } from '../../src/environments/index.js'
import { createConversations } from '../../src/proxy/conversation.js'
import { createMemory } from '../../src/proxy/memory.js'
import { parseColumn } from '../../src/run/columns.js'
import { sharedData } from '../shared-data.js'
import { playInProcess, playThrough } from './_harness.js'

interface Recorded {
  readonly task: Task
  readonly environment: Environment
  readonly actions: readonly string[]
}

const { vocabulary } = findEnvironmentKind('household')
const columns = [
  'agentrefine-1',
  'agentrefine-2',
  'agentrefine-3',
  'agentrefine-4',
  'alfworld-2024',
  'placebo',
  'agentrefine-1+agentrefine-2+agentrefine-3+agentrefine-4',
]
const layouts = ['act', 'react', 'tagged', 'tools']

/** @returns how many requests were compared */
async function compare({ environment, task, actions }: Recorded, layout: string, label: string): Promise<number> {
  const { applied } = parseColumn(label, perturbations)
  const [first, ...others] = applied
  const { normalise } = environment
  const episode = { begin: () => environment.begin(task, createRandom('0')), agent: findAgent(layout), normalise }
  const inProcess = await playInProcess(episode, [first!, ...others], actions)
  const conversations = createConversations(
    { vocabulary: vocabulary!, applied: [first!, ...others], random: createRandom('0') },
    createMemory(),
  )
  const sent: string[] = []
  const observed = await playThrough(
    episode,
    (body, turn) => {
      const read = conversations.read('chat', body)
      if ('unread' in read) throw new Error(read.unread)
      expect(read.turn).toBe(turn + 1)
      sent.push(JSON.stringify(read.body))
      const { text, toolCalls = [] } = inProcess.script[turn]!
      const answered = read.answer({ text, calls: toolCalls })
      return { text: answered.text, ...(answered.calls.length > 0 && { toolCalls: answered.calls }) }
    },
    actions.length,
  )
  const where = `${label} ${layout} ${task.id}`
  sent.forEach((one, turn) => expect(one, `${where}, turn ${String(turn + 1)}`).toBe(inProcess.sent[turn]))
  expect(sent).toHaveLength(inProcess.sent.length)
  expect(observed, where).toEqual(inProcess.observed)
  return sent.length
}

function linesOf<Row>(text: string): Row[] {
  return text.trim().split('\n').map((line) => JSON.parse(line) as Row)
}

interface Generated { readonly task: string; readonly generation?: 'old' | 'new'; readonly gen?: 'old' | 'new'; readonly steps: readonly { readonly action: string }[] }

async function generatedEpisodes(rows: readonly Generated[]): Promise<Recorded[]> {
  const environments = {
    old: await openEnvironment('household', { generation: 'old' }),
    new: await openEnvironment('household', { generation: 'new' }),
  }
  return rows.flatMap(({ task: id, generation, gen, steps }) => {
    const environment = environments[(generation ?? gen)!]
    const task = environment.tasks.find((one) => one.id === id)
    return task === undefined ? [] : [{ environment, task, actions: steps.map(({ action }) => action) }]
  })
}

describe('messages through the proxy equal those of the lens in process, to the byte', () => {
  const fixture = fileURLToPath(new URL('../fixtures/household/recordings.jsonl.gz', import.meta.url))
  it.each(layouts)('%s, of recorded household episodes', async (layout) => {
    const episodes = await generatedEpisodes(linesOf(gunzipSync(readFileSync(fixture)).toString('utf8')))
    expect(episodes.length).toBeGreaterThan(10)
    let count = 0
    for (const label of columns) for (const one of episodes) count += await compare({ ...one, actions: one.actions.slice(0, 30) }, layout, label)
    expect(count).toBeGreaterThan(500)
    console.log(layout, count)
  })
})
