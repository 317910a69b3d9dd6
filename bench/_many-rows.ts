import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { EpisodeRow } from '../src/results/episode-row.js'
import { type Random, createRandom } from '../src/core/random.js'
import type { Plan } from '../src/run/plan.js'
import { type Cell, cells, rowOf } from '../src/run/cells.js'
import { writePlan } from '../src/run/store/plan-file.js'
import { size } from './_measure.js'

const [environments, conditions, models] = [size(5, 1), size(10, 2), size(10, 2)]
const axes = { environments, conditions, models, temperatures: 2, seeds: 10 }
const episodesPerTask = axes.conditions * axes.models * axes.temperatures * axes.seeds

/**
 * Writes a run folder as a run leaves it: 5 environments, 10 conditions, 10 models, 2 temperatures, 10 seeds, and as
 * many tasks as the episodes need.
 * @returns the number of episodes
 */
export function writeManyRows(folder: string, episodes: number): number {
  const plan = planOf(Math.max(1, Math.round(episodes / episodesPerTask / axes.environments)))
  mkdirSync(folder, { recursive: true })
  writePlan(join(folder, 'plan.json'), { plan, experiment: {} })
  const file = openSync(join(folder, 'outcomes.jsonl'), 'w')
  const random = createRandom('many rows')
  const all = cells(plan)
  // Concurrent episodes end in any order.
  for (let at = 0; at < all.length; at += 1000) {
    const lines = all.slice(at, at + 1000).map((cell) => `${JSON.stringify(play(cell, random))}\n`)
    writeSync(file, random.shuffle(lines).join(''))
  }
  closeSync(file)
  return all.length
}

function planOf(tasks: number): Plan {
  const list = <T>(length: number, make: (place: number) => T): T[] => Array.from({ length }, (_, place) => make(place))
  const perturbation = (place: number) => ({
    name: `reworded-${String(place)}`,
    version: '1',
    promise: 'invariant' as const,
    source: 'bench',
    summary: 'take {obj} from {recep} → grab {obj} in {recep}',
  })
  return {
    schema: 1,
    version: '0.0.0',
    environments: list(axes.environments, (environment) => ({
      name: `environment-${String(environment)}`,
      version: '1',
      settings: { split: 'valid_unseen', generation: 'new', order: 'own' },
      tasks: list(tasks, (task) => ({
        id: `valid_unseen/pick_and_place_simple-Tomato-None-Microwave-${String(task)}/trial_0001`,
        kind: 'pick_and_place_simple',
        hash: `0123456789abcdef${String(task)}`,
      })),
    })),
    conditions: list(axes.conditions, (condition) => ({
      label: condition === 0 ? 'none' : `reworded-${String(condition)}`,
      perturbations: condition === 0 ? [] : [perturbation(condition)],
    })),
    models: list(axes.models, (model) => ({
      name: `model-${String(model)}`,
      settings: { endpoint: 'http://localhost:8000/v1', model: `model-${String(model)}`, topP: 1 },
    })),
    agents: [{ name: 'react', settings: { layout: 'chat', history: 100 } }],
    temperatures: list(axes.temperatures, (temperature) => temperature),
    seeds: list(axes.seeds, (seed) => seed),
    stepLimit: 30,
    maxTokens: 100,
  }
}

/** Models differ in skill and conditions in difficulty; one episode in a thousand is broken. */
function play(cell: Cell, random: Random): EpisodeRow {
  const model = Number(cell.model.name.split('-')[1])
  const condition = Number(cell.condition.label.split('-')[1] ?? 0)
  const isBroken = random.int(1000) === 0
  const isSolved = random.next() < 0.3 + model / 20 - condition / 40
  const steps = isSolved ? 4 + random.int(20) : 30
  const reached = isSolved ? 4 : random.int(4)
  const gains = Array.from({ length: reached }, (_, gain): [number, number] => [
    Math.ceil((steps * (gain + 1)) / reached),
    (gain + 1) / 4,
  ])
  return {
    ...rowOf(cell),
    outcome: isBroken ? 'model-error' : isSolved ? 'success' : 'step-limit',
    progress: reached / 4,
    measures: {
      steps,
      understood: steps - random.int(4),
      formatErrors: random.int(2),
      repeats: random.int(3),
      memorised: condition === 0 ? 0 : random.int(3),
      ...(condition > 0 && { adapted: 1 + random.int(steps) }),
      modelCalls: steps,
      promptTokens: 1000 * steps + random.int(1000),
      completionTokens: 20 * steps + random.int(20),
      gains,
    },
    ...(condition > 0 && {
      dose: { forms: 3, commandsSaid: random.int(5), commandsSeen: steps, names: 0, characters: 17 * steps, leaks: 0 },
    }),
    ...(isBroken && { error: 'the server answered 503 three times' }),
  }
}
