import { panelHash } from '../results/experiment.js'
import type { Tally } from '../results/tally.js'
import { tallyRows } from '../results/tallies.js'
import { hashOf } from '../core/episode.js'
import type { StoredRun } from '../run/plan.js'
import { columnsIn, pairsOf } from '../run/plan.js'
import type { OutcomeCell, Outcomes } from './outcomes.js'

/**
 * Reads a run's rows once, in any order. `source` names it in messages; cells come in the plan's order, temperatures
 * innermost.
 * @throws ShaketableError `store` for two rows of one episode.
 */
export function outcomesOf(run: StoredRun, source: string): Outcomes {
  const { plan } = run
  const tallies = tallyRows(run)
  const cells: OutcomeCell[] = []
  for (const environment of plan.environments)
    for (const { model, agent } of pairsOf(plan))
      for (const column of columnsIn(plan.columns, environment.name)) {
        const tally = tallies.find(environment.name, model.name, agent.name, column.label)
        const isIdentity = column.perturbations.every(({ promise }) => promise === 'identity')
        const unchanged = !isIdentity && tally.state.includes(2) && !tally.changed.includes(1)
        const names = { environment: environment.name, model: model.name, agent: agent.name, column: column.label }
        for (const [place, temperature] of plan.temperatures.entries())
          cells.push({
            ...names,
            temperature,
            seeds: plan.seeds,
            ...readTally(tally, place),
            unchanged,
          })
      }
  return {
    source,
    version: plan.version,
    panels: plan.environments.map((environment) => ({
      environment: environment.name,
      version: environment.version,
      hash: panelHash(environment),
      settings: hashOf(environment.settings, 12),
      tasks: environment.tasks.map(({ id, kind, hash }) => ({ id, ...(kind !== undefined && { kind }), hash })),
    })),
    cells,
    notes: [
      ...(run.notes ?? []),
      ...(tallies.strays > 0
        ? [
            `${tallies.strays === 1 ? '1 row is' : `${String(tallies.strays)} rows are`} of no planned episode and left out.`,
          ]
        : []),
      ...(run.writing ? ['The run is still being written.'] : []),
      ...(run.stopped === undefined ? [] : [`The run was stopped before everything was played: ${run.stopped}`]),
    ],
  }
}

function readTally(tally: Tally, temperature: number): Pick<OutcomeCell, 'success' | 'progress' | 'broken' | 'sameAs'> {
  const { shape, state, success, progress } = tally
  const passes = Array.from({ length: shape.seeds }, (_, seed) => temperature * shape.seeds + seed)
  const sameAs = passes.map((pass) => (tally.planned[pass] === 1 ? tally.sameAs[pass]! : -1))
  const bySeed = <Value>(task: number, read: (slot: number) => Value): Value[] =>
    passes.map((pass) => read(pass * shape.tasks + task))
  const byTask = <Value>(read: (task: number) => Value): Value[] =>
    Array.from({ length: shape.tasks }, (_, task) => read(task))
  return {
    ...(sameAs.some((same, seed) => same !== seed) && { sameAs }),
    success: byTask((task) => bySeed(task, (slot) => (state[slot] === 2 ? (success[slot] === 1 ? 1 : 0) : null))),
    progress: byTask((task) => bySeed(task, (slot) => (state[slot] === 2 ? progress[slot]! : null))),
    broken: byTask((task) => bySeed(task, (slot) => state[slot] === 1).filter(Boolean).length),
  }
}
