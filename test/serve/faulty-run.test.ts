import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { createEndpoint } from '../../src/models/index.js'
import { readFlags } from '../../src/run/experiment-flags.js'
import { completeExperiment } from '../../src/run/experiment.js'
import { prepareGrid, prepareServed } from '../../src/run/prepare-grid.js'
import { runExperiment } from '../../src/run/run-experiment.js'
import { readRun } from '../../src/run/store/read-run.js'
import { countAttempts } from '../../src/run/store/record.js'
import type { Serving } from '../../src/proxy/server.js'
import { linesOf, partingOf, shaketable, start, untilLines } from '../cli/_command.js'
import { scratchFolder } from '../scratch.js'
import { readFaults } from './_faults.js'
import type { ReaderOptions } from './_serving.js'
import { serveReader } from './_serving.js'

const scratch = scratchFolder()

let serving: Serving | undefined
afterEach(stop)

async function stop(): Promise<void> {
  await serving?.close()
  serving = undefined
}

/** Serves on the port of the server before it, so that runs against both have the same model. */
let port = 0
async function serveTuned(options: ReaderOptions = {}): Promise<string> {
  await stop()
  serving = await serveReader({ models: [{ ...createReader(), name: 'tuned' }], port, ...options })
  port = Number(new URL(serving.baseUrl).port)
  return serving.baseUrl
}

const episodes = 500
const columns = 'placebo,agentrefine-1,agentrefine-2,agentrefine-3'
const args = (out: string, baseUrl: string): string[] => [
  ...[
    ...'run --env household --model tuned --base-url'.split(' '),
    baseUrl,
    '--no-probe',
    '--out',
    out,
    '--tasks',
    '5',
  ],
  ...[
    '--perturb',
    columns,
    ...'--temperatures 0,1 --seeds 10 --set seedsAtZero=10 --steps 2 --concurrency 64'.split(' '),
  ],
]

/** The same run in this process, with a client that has short deadlines. */
async function playHurriedly(out: string, baseUrl: string): Promise<void> {
  const flags = {
    env: ['household'],
    model: ['tuned'],
    baseUrl,
    tasks: '5',
    perturb: [columns],
    temperatures: '0,1',
    seeds: '10',
    set: ['seedsAtZero=10'],
  }
  const { experiment, where } = completeExperiment({
    flags: readFlags({ ...flags, steps: '2', concurrency: '64' }),
    environmentFlags: {},
  })
  const { grid } = await prepareGrid(experiment, { where })
  const endpoint = createEndpoint({ model: 'tuned', baseUrl, timeoutMs: 2000, attempts: 30, longestWaitMs: 50 })
  const model = prepareServed(endpoint, experiment)
  await runExperiment({
    experiment,
    grid: { ...grid, models: new Map([['tuned', model]]) },
    folder: join(scratch, out),
    stop: new AbortController().signal,
    opened: () => undefined,
  })
}

const rowsOf = (out: string): EpisodeRow[] =>
  linesOf(join(scratch, out, 'outcomes.jsonl')).map((line) => JSON.parse(line) as EpisodeRow)

describe('a run of 500 episodes', () => {
  it('loses nothing to a server with a fault in every second answer', async () => {
    const clean = await shaketable(args('clean', await serveTuned()), scratch)
    expect(clean.code, clean.stderr).toBe(0)
    expect(new Set(rowsOf('clean').map(({ key }) => key)).size).toBe(episodes)

    // Few stalls: each takes a whole deadline, which must be long enough for a busy machine.
    const faults = readFaults(
      'rate-limit=0.12,server-error=0.12,reset=0.12,stall-head=0.01,stall-body=0.01,garbage=0.12',
    )
    await playHurriedly('faulty', await serveTuned({ faults, retryAfterSeconds: 0 }))
    const rows = rowsOf('faulty')
    expect(rows.length).toBe(episodes)
    expect([...new Set(rows.flatMap(({ error }) => error ?? []))]).toEqual([])
    expect((await shaketable(['report', 'faulty'], scratch)).code).toBe(0)
    expect(partingOf(join(scratch, 'faulty'), join(scratch, 'clean'))).toBeUndefined()
    const run = readRun(join(scratch, 'faulty'))
    const tries = [...run.trajectories(rows.map(({ key }) => key)).values()].map(countAttempts)
    const [calls, replies] = [tries, rows.map(({ measures }) => measures.modelCalls)].map((counts) =>
      counts.reduce((sum, count) => sum + count),
    )
    expect(calls! / replies!).toBeGreaterThan(1.5)
    const shown = await shaketable(['show', 'faulty', rows[tries.indexOf(Math.max(...tries))]!.key], scratch)
    expect(shown.stdout).toContain(`${String(Math.max(...tries))} attempts for 2 replies`)
    expect(shown.stdout).toMatch(
      /attempts: (?:waited [\d,]+ ms, )?(?:rate-limit 429|server-error 5|connection|timeout|bad-reply)/,
    )
  }, 300_000)

  it('resumes after a kill -9 and ends with the same reports, byte for byte', async () => {
    const killed = start(args('killed', await serveTuned({ latencyMs: 20 })), scratch)
    await untilLines(join(scratch, 'killed', 'outcomes.jsonl'), 100)
    killed.child.kill('SIGKILL')
    await killed.ended
    const before = rowsOf('killed').length
    expect(before).toBeLessThan(episodes)
    const again = await shaketable(args('killed', await serveTuned()), scratch)
    expect(again.code, again.stderr).toBe(0)
    expect(again.stderr).toContain(`of 500 episodes; playing the rest.`)
    expect(partingOf(join(scratch, 'killed'), join(scratch, 'clean'))).toBeUndefined()
  }, 300_000)
})
