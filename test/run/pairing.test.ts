import { afterEach, describe, expect, it } from 'vitest'
import { hashOf } from '../../src/core/episode.js'
import { cells } from '../../src/run/cells.js'
import { completeExperiment } from '../../src/run/experiment.js'
import type { GivenExperiment } from '../../src/run/experiment-schema.js'
import { playCell } from '../../src/run/play-cell.js'
import { prepareGrid } from '../../src/run/prepare-grid.js'
import type { PlayedCell } from '../../src/run/store/record.js'
import { type Loopback, says, startLoopback } from '../models/loopback.js'

let server: Loopback | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const likeliest = 'look'

/** A server that honours seeds: the seed alone decides the first token of a reply, whatever the prompt is. */
async function startSeeded(): Promise<Loopback> {
  const loopback = await startLoopback((response, request) => {
    const { seed, temperature } = loopback.heard.at(-1)!.body as { seed: number; temperature: number }
    const number = Number.parseInt(hashOf(['first token', seed], 8), 16) / 2 ** 32
    says(temperature === 0 || number < 0.6 ? likeliest : 'inventory')(response, request)
  })
  return (server = loopback)
}

async function playAll(given: GivenExperiment): Promise<PlayedCell[]> {
  const { baseUrl } = server ?? (await startSeeded())
  const flags = { agents: ['act'], environments: ['household'], temperatures: [1], ...given }
  const { experiment } = completeExperiment({
    flags: { models: [{ name: 'seeded', baseUrl }], ...flags },
  })
  const { grid } = await prepareGrid(experiment)
  return Promise.all(cells(grid.plan).map((cell) => playCell(grid, cell)))
}

const repliesOf = ({ trajectory }: PlayedCell): string => trajectory.steps.map(({ action }) => action).join(' ')

/** The number of episodes of a condition with the same replies as their clean twins. */
function countEqual(played: readonly PlayedCell[], condition: string): number {
  const placeOf = ({ row: { task, seed, temperature } }: PlayedCell) => [task, seed, temperature].join()
  const clean = new Map(
    played.filter(({ row }) => row.condition === 'none').map((one) => [placeOf(one), repliesOf(one)]),
  )
  return played.filter((one) => one.row.condition === condition && clean.get(placeOf(one)) === repliesOf(one)).length
}

const sent = (): number[] => server!.heard.map(({ body }) => body['seed'] as number)

describe('on a server that honours seeds', () => {
  it('an episode has the random numbers of its clean twin, and a placebo its own', async () => {
    const perturbations = ['placebo', 'agentrefine-1']
    const played = await playAll({ tasks: 6, seeds: 4, stepLimit: 3, perturbations })
    expect(countEqual(played, 'placebo')).toBeLessThanOrEqual(12)
    expect(countEqual(played, 'agentrefine-1')).toBe(24)
    expect(new Set(played.map(({ row }) => row.seed))).toEqual(new Set([0, 1, 2, 3]))
  })

  it('draws beyond the first have the numbers of the clean repeat of that number, not of the clean twin', async () => {
    const perturbations = ['synonyms', 'synonyms:draw=2', 'clean-repeats:draw=2']
    const played = await playAll({ tasks: 6, seeds: 4, stepLimit: 3, perturbations })
    expect(countEqual(played, 'synonyms')).toBe(24)
    expect(countEqual(played, 'synonyms:draw=2')).toBeLessThan(12)
    const repliesIn = (condition: string) => played.filter(({ row }) => row.condition === condition).map(repliesOf)
    expect(repliesIn('synonyms:draw=2')).toEqual(repliesIn('clean-repeats:draw=2'))
  })

  it('no two calls of a condition share a seed: over trials, reflections, tasks, temperatures and seeds', async () => {
    const agents = ['reflexion:trials=3', 'best-of-n:n=3']
    for (const agent of agents) {
      await startSeeded()
      const grid = { temperatures: [0.5, 1], tasks: 3, seeds: 2, stepLimit: 3, seedsAtZero: 2 }
      const played = await playAll({ ...grid, perturbations: ['none'], agents: [agent] })
      const trials = played.map(({ trajectory }) => trajectory.trials!.length)
      expect(trials.every((count) => count === 3)).toBe(true)
      expect(sent()).toHaveLength(12 * (agent.startsWith('reflexion') ? 11 : 9))
      expect(new Set(sent()).size).toBe(sent().length)
      expect(sent().every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true)
      await server!.close()
    }
  })

  it('models and agents get the same seeds, so that they are compared on the same random numbers', async () => {
    const { baseUrl } = await startSeeded()
    const models = ['seeded', 'other'].map((name) => ({ name, baseUrl }))
    const played = await playAll({
      ...{ models, agents: ['act', 'best-of-n:n=2'], tasks: 3, seeds: 2, stepLimit: 3, perturbations: ['none'] },
    })
    const first = new Map<string, Set<string>>()
    for (const { row, trajectory } of played) {
      const replies = trajectory.steps.slice(0, trajectory.trials?.[1]?.from).map(({ action }) => action)
      const place = [row.task, row.seed].join()
      first.set(place, (first.get(place) ?? new Set()).add(replies.join()))
    }
    expect([...first.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1])
  })
})
