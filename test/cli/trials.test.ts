import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import type { EpisodeRow } from '../../src/core/episode.js'
import type { Message } from '../../src/core/model.js'
import { linesOf, shaketable, start } from './_command.js'

const scratch = mkdtempSync(join(tmpdir(), 'shaketable-trials-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let server: Server | undefined
afterEach(closeServer)

function closeServer(): void {
  server?.closeAllConnections()
  server?.close()
  server = undefined
}

const lesson = 'I only looked around. <b>Next</b> time: do what the task says.'

/**
 * A server whose model only looks around, until it is given what it noted of that: then it plays as the reader does.
 * `called` hears each call.
 */
async function serve(called: (calls: number) => void = () => undefined): Promise<string> {
  const reader = createReader()
  let calls = 0
  const answer = async (messages: Message[], seed: number): Promise<string> => {
    const last = messages.at(-1)!.content
    if (last.endsWith('New plan: ')) return lesson
    if (!messages.some(({ content }) => content.includes(`Trial 1: ${lesson}`))) return 'look'
    return (await reader.complete(messages, { temperature: 0, seed, maxTokens: 50, stop: [] })).text
  }
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      called(++calls)
      const { messages, seed } = JSON.parse(text) as { messages: Message[]; seed: number }
      void answer(messages, seed).then((content) => {
        const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
        const usage = { prompt_tokens: 50, completion_tokens: 3 }
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'tuned', choices, usage }))
      })
    })
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`
}

const grid = [
  ...['run', '--env', 'household', '--tasks', '2', '--perturb', 'agentrefine-1', '--model', 'tuned', '--seeds', '1'],
  ...['--temperatures', '1', '--steps', '20', '--concurrency', '2', '--no-probe'],
]
const run = (...args: string[]) => shaketable([...grid, ...args], scratch)
const rowsOf = (out: string): EpisodeRow[] =>
  linesOf(join(scratch, out, 'outcomes.jsonl')).map((line) => JSON.parse(line) as EpisodeRow)

function reportOf(out: string): Record<string, string> {
  const folder = join(scratch, out, 'report')
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

describe('a run with reflexion', () => {
  it('solves by reflection what the plain agent does not, is shown trial by trial, and replayed to the byte', async () => {
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
    expect(reportOf('first')['behaviour.md']).toContain('## Trials of an episode on household')
  })

  it('asks a cache only what is new, the same run none of it', async () => {
    let calls = 0
    const address = await serve((count) => (calls = count))
    const args = ['--agent', 'reflexion:trials=3', '--base-url', address, '--cache', 'cache']
    expect((await run(...args, '--out', 'cached')).code).toBe(0)
    const before = calls
    const again = await run(...args, '--out', 'cached-again')
    expect(again.stderr).toMatch(new RegExp(`^${String(before)} of ${String(before)} calls came from cache\\.$`, 'm'))
    expect(calls).toBe(before)
    expect(reportOf('cached-again')).toEqual(reportOf('cached'))
  })

  it('stops between two trials when its budget is used up, and goes on later', async () => {
    const address = await serve()
    const args = ['--agent', 'reflexion:trials=3', '--base-url', address, '--out', 'budget', '--concurrency', '1']
    const stopped = await run(...args, '--max-calls', '15')
    expect(stopped.code, stopped.stderr).toBe(4)
    expect(stopped.stderr).toContain('(--max-calls 15)')
    expect(rowsOf('budget')).toEqual([])
    const ended = await run(...args)
    expect(ended.code, ended.stderr).toBe(0)
    expect(rowsOf('budget').map(({ trials }) => trials)).toEqual(Array.from({ length: 4 }, () => [0, 1]))
  })

  it('stops between two trials on a signal, keeping whole episodes only', async () => {
    let interrupt = (): void => undefined
    const address = await serve((calls) => {
      if (calls === 30) interrupt()
    })
    const args = [...grid, '--agent', 'best-of-n:n=50', '--base-url', address, '--out', 'stopped']
    const { child, ended } = start(args, scratch)
    interrupt = () => void child.kill('SIGINT')
    const { code, stderr } = await ended
    expect(code, stderr).toBe(130)
    expect(stderr).toContain('Stopping: trials under way are finished, and episodes kept whose last trial they were.')
    expect(stderr).toContain('Stopped. 0 of 4 episodes are kept in stopped')
  })
})
