import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Model } from '../../src/core/model.js'
import { createEndpoint } from '../../src/models/index.js'
import { createServer } from '../../src/models/server.js'
import { readFlags } from '../../src/run/experiment-flags.js'
import { completeExperiment } from '../../src/run/experiment.js'
import { prepareGrid } from '../../src/run/prepare-grid.js'
import { runExperiment } from '../../src/run/run-experiment.js'
import { bytesOf, partingOf, shaketable } from '../cli/_command.js'
import { type Choose, hostileKinds, mixOf, startHostileServer } from '../hostile-server.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()

const timeoutMs = 1500
const longestWaitMs = 100
const conditions = 'placebo,agentrefine-1'

/**
 * Plays a grid of household tasks to its end, with the real client and store, resuming as often as necessary: a session
 * plays the model-errors of the one before again.
 */
async function playHostile(choose: Choose, seeds: number, folder: string, port = 0) {
  const server = await startHostileServer(choose, port)
  const flags = { env: ['household'], model: ['tuned'], baseUrl: server.baseUrl, tasks: '5', perturb: [conditions] }
  const { experiment, where } = completeExperiment({
    flags: readFlags({
      ...flags,
      temperatures: '0,1',
      seeds: String(seeds),
      set: [`seedsAtZero=${String(seeds)}`],
      steps: '4',
      concurrency: '48',
    }),
  })
  const { grid } = await prepareGrid(experiment, { where })
  let longestAnnouncedMs = 0
  const paused = (ms: number): void => {
    longestAnnouncedMs = Math.max(longestAnnouncedMs, ms)
  }
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
  const before = process.memoryUsage.rss()
  let resident = 0
  const watch = setInterval(() => (resident = Math.max(resident, process.memoryUsage.rss() - before)), 20)
  const started = performance.now()
  const errors: string[] = []
  let planned = 0
  try {
    for (let [missing, session] = [1, 0]; missing > 0 && session < 20; session++) {
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
    exchanges: server.exchanges(),
    calls,
    errors,
    seconds: (performance.now() - started) / 1000,
    /** Beyond the start. */
    residentMegabytes: resident / 2 ** 20,
    // The longest time without a request, and the longest announced wait plus the maximum duration of a call.
    longestGapMs: gaps.reduce((most, gap) => Math.max(most, gap), 0),
    longestAnnouncedMs: longestAnnouncedMs + timeoutMs + longestWaitMs,
    sent: server.sent,
  }
}

it('a run of 1,000 exchanges with a server of which every second answer is hostile keeps every episode once, exactly as with a good server, byte for byte', async () => {
  const [calm, wild] = [join(scratch, 'calm'), join(scratch, 'wild')]
  const { port } = await playHostile(() => undefined, 5, calm)
  const run = await playHostile(mixOf('a hostile server'), 5, wild, port)
  for (const folder of [calm, wild]) expect((await shaketable(['report', folder], scratch)).code).toBe(0)
  const { planned, exchanges, calls, errors, sent, ...measured } = run
  expect(exchanges).toBeGreaterThanOrEqual(1000)
  expect(exchanges - calls).toBeGreaterThan(exchanges / 4)
  const told = bytesOf(wild)
  expect(Object.keys(told)).toContain('report.html')
  expect(told.rows!.split('\n')).toHaveLength(planned)
  expect(partingOf(wild, calm)).toBeUndefined()
  // Only a refusal that is not temporary ends an episode; the next session plays it again.
  expect(errors.length).toBeGreaterThan(0)
  for (const message of errors)
    expect(message).toMatch(/^model-error of tuned: http:\S+ answered (?:400: Bad request|302: the server has moved)/)
  expect(sent.size).toBeGreaterThan(hostileKinds.length * 0.9)
  expect(measured.seconds).toBeLessThan(100)
  expect(measured.residentMegabytes).toBeLessThan(500)
  expect(measured.longestGapMs).toBeLessThan(measured.longestAnnouncedMs)
}, 180_000)
