import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import { scratchFolder } from '../scratch.js'
import { reportOf as reportIn, rowsOf as storedRows, shaketable } from './_command.js'
import { closeServer, serveChat } from './_served.js'

const scratch = scratchFolder()

const lesson = 'I only looked around. <b>Next</b> time: do what the task says.'

/** A server whose model only looks around until the prompt has its reflection; then it plays like the reader. */
function serve(called: (calls: number) => void = () => undefined): Promise<string> {
  const reader = createReader()
  return serveChat(async ({ messages, seed }, count) => {
    called(count)
    if (messages.at(-1)!.content.endsWith('New plan: ')) return { content: lesson }
    if (!messages.some(({ content }) => content.includes(`Trial 1: ${lesson}`))) return { content: 'look' }
    return { content: (await reader.complete(messages, { temperature: 0, seed, maxTokens: 50, stop: [] })).text }
  })
}

const grid = [
  ...['run', '--env', 'household', '--tasks', '2', '--perturb', 'agentrefine-1', '--model', 'tuned', '--seeds', '1'],
  ...['--temperatures', '1', '--steps', '20', '--concurrency', '2', '--no-probe'],
]
const run = (...args: string[]) => shaketable([...grid, ...args], scratch)
const rowsOf = (out: string) => storedRows(join(scratch, out))

const reportOf = (out: string): Readonly<Record<string, string>> => reportIn(join(scratch, out))

describe('a run with reflexion', () => {
  it('solves by reflection what the plain agent does not, is shown trial by trial, and is replayed to the byte', async () => {
    const address = await serve()
    const agents = ['--agent', 'act,reflexion:trials=3']
    const first = await run(...agents, '--base-url', address, '--out', 'first', '--record', 'first.jsonl')
    expect(first.code, first.stderr).toBe(0)
    for (const { agent, outcome, trials, progress, measures } of rowsOf('first')) {
      if (agent === 'act') expect([outcome, trials]).toEqual(['step-limit', undefined])
      else {
        expect([outcome, trials, progress]).toEqual(['success', [0, 1], 1])
        expect(measures.modelCalls).toBe(measures.steps + 1)
        expect(measures).toMatchObject({ promptTokens: 50 * measures.modelCalls })
      }
    }
    closeServer()

    const { key } = rowsOf('first').find(({ agent, column }) => agent !== 'act' && column !== 'none')!
    const shown = (await shaketable(['show', 'first', key], scratch)).stdout
    expect(shown).toContain('2 trials, progress 0%, 100%')
    expect(shown).toMatch(
      /── trial 1, seed 0 ──\n(?:.*\n)* 20 > look\n(?:.*\n)*── trial 1 ended: step-limit ──\n {5}reflection: I only looked/,
    )
    expect(shown).toMatch(/── trial 2, seed \d{5,} ──\n\n 21 > /)
    expect(shown).toContain('── trial 2 ended: success ──')
    const twins = (await shaketable(['show', 'first', key, '--twin'], scratch)).stdout
    expect(twins.match(/trial 2, seed/g)).toHaveLength(2)

    const replayed = await run(...agents, '--out', 'replayed', '--replay', 'first.jsonl')
    expect(replayed.code, replayed.stderr).toBe(0)
    expect(reportOf('replayed')).toEqual(reportOf('first'))
    expect(reportOf('first')['tables/behaviour.md']).toContain('| Taken | First trial | Last trial | Best trial |')
  })
})
