import type { Plan } from 'shaketable'
import { outcomes, pairsOf } from 'shaketable'
import type { PackedFile, PackedIndex } from '../packed.js'
import { keyDigits, untold } from '../packed.js'
import { wellFormed } from '../visible.js'
import type { ListedEpisode } from './list-episodes.js'

/** Makes the index of the listed episodes; `chunks` are how many episodes each chunk holds. */
export function packIndex(
  plan: Plan,
  episodes: readonly ListedEpisode[],
  chunks: readonly number[],
  files: readonly PackedFile[] | undefined,
): PackedIndex {
  const measured = (of: (episode: ListedEpisode) => number): number[] => episodes.map(of)
  let first = 0
  return {
    environments: plan.environments.map(({ name, tasks }) => ({
      name: wellFormed(name),
      tasks: tasks.map(({ id }) => wellFormed(id)),
    })),
    columns: plan.columns.map(({ label }) => wellFormed(label)),
    clean: plan.columns.findIndex(({ perturbations }) => perturbations.length === 0),
    models: plan.models.map(({ name }) => wellFormed(name)),
    agents: plan.agents.map(({ name }) => wellFormed(name)),
    pairs: pairsOf(plan).map(({ model, agent }) => [plan.models.indexOf(model), plan.agents.indexOf(agent)]),
    temperatures: plan.temperatures,
    seeds: plan.seeds,
    outcomes,
    places: episodes.map(({ place }, index) => place - (episodes[index - 1]?.place ?? -1)),
    keys: episodes.map(({ key }) => key.slice(0, keyDigits)).join(''),
    outcome: measured(({ outcome }) => outcomes.indexOf(outcome)),
    progress: measured(({ progress }) => Math.round(10_000 * progress) / 10_000),
    steps: measured(({ measures }) => measures.steps),
    understood: measured(({ measures }) => measures.understood ?? untold),
    memorised: measured(({ measures }) => measures.memorised ?? untold),
    formatErrors: measured(({ measures }) => measures.formatErrors),
    chunks: chunks.map((count) => (first += count) - count),
    ...(files !== undefined && { files }),
  }
}
