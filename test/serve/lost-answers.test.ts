import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import { checkable } from '../../src/cli/check.js'
import { makeBaseline } from '../../src/gate/baseline.js'
import { checkRun } from '../../src/gate/check-run.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { createEndpoint } from '../../src/models/index.js'
import { completeExperiment } from '../../src/run/experiment.js'
import { readFlags } from '../../src/run/experiment-flags.js'
import { prepareGrid, prepareServed } from '../../src/run/prepare-grid.js'
import { runExperiment } from '../../src/run/run-experiment.js'
import type { ReadRun } from '../../src/run/store/read-run.js'
import { readRun } from '../../src/run/store/read-run.js'
import { usualRule } from '../gate/_made.js'
import { scratchFolder } from '../scratch.js'
import type { Fault } from './_faults.js'
import { serveReader } from './_serving.js'

const scratch = scratchFolder()
let port = 0

/** A provider that dies within its reply, whose text is then a part of an action. */
const dying: Fault = ({ response, payload }) => {
  const { choices, ...rest } = JSON.parse(payload.text) as { choices: { message: { content: string } }[] }
  const [{ message, ...choice }] = choices as [(typeof choices)[0]]
  const content = message.content.slice(0, message.content.length / 2)
  const broken = { ...choice, message: { ...message, content }, finish_reason: 'error' }
  response.writeHead(200, { 'content-type': payload.contentType })
  response.end(JSON.stringify({ ...rest, choices: [broken] }))
}

/** Plays 70 tasks with and without a perturbation that changes nothing, where a share of the answers dies. */
async function play(name: string, share: number, attempts: number): Promise<ReadRun & { readonly lost: number }> {
  let lost = 0
  const counted: Fault = (struck) => (lost++, dying(struck))
  const models = [{ ...createReader(), name: 'tuned' }]
  const serving = await serveReader({ models, port, faults: [{ fault: counted, share }] })
  port = Number(new URL(serving.baseUrl).port)
  const flags = readFlags({
    ...{ env: ['household'], model: ['tuned'], baseUrl: serving.baseUrl, tasks: '70', perturb: ['placebo'] },
    ...{ agent: ['act'], temperatures: '0', seeds: '1', steps: '14' },
  })
  const { experiment, where } = completeExperiment({ flags, environmentFlags: {} })
  const { grid } = await prepareGrid(experiment, { where })
  const endpoint = createEndpoint({ model: 'tuned', baseUrl: serving.baseUrl, attempts, longestWaitMs: 5 })
  const served = prepareServed(endpoint, experiment)
  const folder = join(scratch, name)
  await runExperiment({
    experiment,
    grid: { ...grid, models: new Map([['tuned', served]]) },
    folder,
    stop: new AbortController().signal,
    opened: () => undefined,
  }).finally(() => serving.close())
  return { ...readRun(folder), lost }
}

const outcomesOf = (rows: Iterable<EpisodeRow>) =>
  Object.fromEntries(Array.from(rows, ({ key, outcome }) => [key, outcome]))

describe('answers of a provider that dies inside a 200', () => {
  let clean: ReadRun
  beforeAll(async () => {
    clean = await play('clean', 0, 1)
  })
  const check = (run: ReadRun) => {
    const made = makeBaseline(checkable(clean), { plan: 'p', why: 'w', minCoverage: 0.9, history: [] })
    if ('refused' in made) throw new Error(made.refused.reason)
    return checkRun(checkable(run), made.baseline, usualRule)
  }

  it('move no figure and no verdict where another attempt succeeds', async () => {
    const run = await play('repeated', 0.25, 20)
    expect(run.lost).toBeGreaterThan(250)
    expect(outcomesOf(run.rows)).toEqual(outcomesOf(clean.rows))
    expect(new Set(Object.values(outcomesOf(run.rows)))).toEqual(new Set(['success', 'step-limit']))
    const { code, cells } = check(run)
    expect([code, cells.map(({ verdict, difference }) => [verdict, difference?.estimate])]).toEqual([
      0,
      [
        ['pass', 0],
        ['pass', 0],
      ],
    ])
  })

  it('are missing episodes where all attempts fail, which are no regression and no evidence of equality', async () => {
    const run = await play('lost', 0.02, 1)
    const measured = [...run.rows].filter(({ outcome }) => outcome !== 'model-error')
    expect([run.lost > 10, [...run.rows].length - measured.length]).toEqual([true, run.lost])
    expect(outcomesOf(clean.rows)).toMatchObject(outcomesOf(measured))
    const { code, cells } = check(run)
    expect([code, cells.map(({ verdict, cause }) => [verdict, cause])]).toEqual([
      3,
      [
        ['unknown', 'coverage'],
        ['inconclusive', undefined],
      ],
    ])
  })
})
