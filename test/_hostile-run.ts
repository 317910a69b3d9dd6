import type { Model } from '../src/core/model.js'
import { createEndpoint } from '../src/models/index.js'
import { createServer } from '../src/models/server.js'
import { readFlags } from '../src/run/experiment-flags.js'
import { completeExperiment } from '../src/run/experiment.js'
import { prepareGrid } from '../src/run/prepare-grid.js'
import { runExperiment } from '../src/run/run-experiment.js'
import type { Choose } from './hostile-server.js'
import { startHostileServer } from './hostile-server.js'

const timeoutMs = 1500
const longestWaitMs = 100
const conditions = 'placebo,agentrefine-1'

/** The figures of playing a grid on a server. */
export type HostileRun = Awaited<ReturnType<typeof playHostile>>

/**
 * Plays a grid of household tasks to its end, with the real client and store, resuming as often as necessary: a session
 * plays the model-errors of the one before again.
 */
export async function playHostile(choose: Choose, seeds: number, folder: string, port = 0) {
  const server = await startHostileServer(choose, port)
  const flags = readFlags({
    ...{ env: ['household'], model: ['tuned'], baseUrl: server.baseUrl, tasks: '5', perturb: [conditions] },
    ...{ temperatures: '0,1', seeds: String(seeds), set: [`seedsAtZero=${String(seeds)}`] },
    ...{ steps: '4', concurrency: '48' },
  })
  const { experiment, where } = completeExperiment({ flags, environmentFlags: {} })
  const { grid } = await prepareGrid(experiment, { where })
  let longestAnnouncedMs = 0
  const paused = (ms: number): unknown => (longestAnnouncedMs = Math.max(longestAnnouncedMs, ms))
  const shared = createServer({ concurrency: 48, longestPauseMs: 300, paused })
  const options = { baseUrl: server.baseUrl, apiKey: '', timeoutMs, longestWaitMs, attempts: 30, server: shared }
  const endpoint = createEndpoint({ model: 'tuned', ...options })
  let calls = 0
  const model: Model = {
    ...endpoint,
    complete(messages, sampling) {
      calls++
      return endpoint.complete(messages, sampling)
    },
  }
  const before = process.memoryUsage()
  let [resident, heap] = [0, 0]
  const watch = setInterval(() => {
    const { rss, heapUsed, external } = process.memoryUsage()
    resident = Math.max(resident, rss - before.rss)
    heap = Math.max(heap, heapUsed + external - before.heapUsed - before.external)
  }, 20)
  const started = performance.now()
  const errors: string[] = []
  let [planned, sessions] = [0, 0]
  try {
    for (let missing = 1; missing > 0 && sessions < 20; sessions++) {
      const ended = await runExperiment({
        experiment,
        grid: { ...grid, models: new Map([['tuned', model]]), gone: shared.circuit.opened },
        folder,
        stop: new AbortController().signal,
        opened: () => undefined,
      })
      planned = ended.planned
      missing = ended.errors
      if (ended.stopped !== undefined) throw new Error(ended.stopped)
      for (const [message, times] of ended.messages) errors.push(...Array.from({ length: times }, () => message))
    }
  } finally {
    clearInterval(watch)
    shared.close()
    await server.close()
  }
  const gaps = server.asked.slice(1).map((at, place) => at - server.asked[place]!)
  return {
    port: Number(new URL(server.baseUrl).port),
    planned,
    sessions,
    exchanges: server.exchanges(),
    calls,
    errors,
    seconds: (performance.now() - started) / 1000,
    // Beyond the start, resident and on the heap with buffers.
    residentMegabytes: resident / 2 ** 20,
    heapMegabytes: heap / 2 ** 20,
    // The longest time without a request, and the longest announced wait plus the maximum duration of a call.
    longestGapMs: gaps.reduce((most, gap) => Math.max(most, gap), 0),
    longestAnnouncedMs: longestAnnouncedMs + timeoutMs + longestWaitMs,
    /** How often each kind was sent. */
    sent: server.sent,
  }
}
