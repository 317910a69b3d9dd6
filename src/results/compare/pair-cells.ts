import type { Metric, Pairs } from '../pairs.js'
import { pairBySeed, pairByTask } from '../pairs.js'
import type { Measurements } from '../passes.js'
import { placesOf, takeParts, withoutCopies } from '../passes.js'
import { mean } from '../../statistics/dispersion.js'
import { count } from '../../tables/words.js'
import { alignPanels, shortList } from './align-panels.js'
import type { OutcomeCell, Outcomes, Panel } from './outcomes.js'
import { cellsByKey, hasOnePlay, keyOf } from './outcomes.js'
import type { NamePair, Sides } from './pair-names.js'
import { nameOf, pairNames } from './pair-names.js'

export type { Metric } from '../pairs.js'

/** The two sides of a comparison, paired by task, temperature and, where both have the same seeds, by seed. */
export interface Pairing {
  /** In the first side's order, without cells that have no temperature on both sides: those are in `unpaired`. */
  readonly cells: readonly PairedCell[]
  /** What is compared by task alone, and what only one side has, in sentences. */
  readonly unpaired: readonly string[]
  /** The sides, cut to the tasks that both have. */
  readonly first: Outcomes
  readonly second: Outcomes
}

/**
 * One environment × model × agent × condition on both sides, on the tasks that both have.
 */
export interface PairedCell {
  readonly environment: string
  readonly model: NamePair
  readonly agent: NamePair
  readonly condition: string
  readonly tasks: Panel['tasks']
  /** `seed`: both sides have the same passes, which are paired. `task`: they differ, and tasks' means are paired. */
  readonly pairedBy: 'seed' | 'task'
  /** Those that both sides have. */
  readonly temperatures: readonly number[]
  readonly seeds: Sides<readonly number[]>
  /** By {@link temperatures} and by the seeds of the side; what is not compared is not planned there. */
  readonly sides: Sides<Measurements>
  /** Differences are second minus first; below 0 the second is worse. */
  readonly pairs: Pairs
  /** Whether the condition changed nothing on any task of either side. */
  readonly unchanged: boolean
  /** Whether a side has one distinct play at each temperature. */
  readonly onePlay: Sides<boolean>
}

/** Names that differ between the sides; see {@link pairNames}. */
export interface PairOptions {
  readonly models?: readonly NamePair[]
  readonly agents?: readonly NamePair[]
  /** Leaves out the models, or agents, of which pairs are given but not with these names. */
  readonly onlyGiven?: boolean
}

/**
 * Pairs what both sides have played, on the tasks that both have.
 * @throws ShaketableError `bad-input` where both have no task in common; `usage` for an unknown name.
 */
export function pairCells(firstWhole: Outcomes, secondWhole: Outcomes, options: PairOptions = {}): Pairing {
  const { first, second, notes } = alignPanels(firstWhole, secondWhole)
  const panels = first.panels.filter(({ environment }) =>
    second.panels.some((panel) => panel.environment === environment),
  )
  const pairsOf = (kind: 'model' | 'agent', given?: readonly NamePair[]): NamePair[] =>
    pairNames(kind, namesOf(first, kind), namesOf(second, kind), given, options.onlyGiven)
  const models = pairsOf('model', options.models)
  const paired = pairsOf('agent', options.agents)
  const agents = models.map((model) => agentsOf(model, first, second, paired, options.agents ?? []))
  const named = { model: models, agent: agents.flat() }
  const others = new Set(namesOf(second, 'condition'))
  const conditions = namesOf(first, 'condition').filter((condition) => others.has(condition))
  const [before, after] = [cellsByKey(first), cellsByKey(second)]
  const cells: PairedCell[] = []
  const unpaired = new Set([
    ...notes,
    ...(options.onlyGiven ? [] : describeAlone(first, second, named, conditions, panels)),
  ])
  for (const { environment, tasks } of panels)
    for (const [place, model] of models.entries())
      for (const agent of agents[place]!)
        for (const condition of conditions) {
          const one = before.get(keyOf(environment, model.first, agent.first, condition))
          const other = after.get(keyOf(environment, model.second, agent.second, condition))
          if (one === undefined && other === undefined) continue
          const alone = { first: temperaturesAlone(one, other), second: temperaturesAlone(other, one) }
          for (const temperature of alone.first)
            unpaired.add(`Only in ${first.source}: temperature ${String(temperature)}.`)
          for (const temperature of alone.second)
            unpaired.add(`Only in ${second.source}: temperature ${String(temperature)}.`)
          if (one === undefined || other === undefined || alone.first.length === one.temperatures.length) {
            const name = `${environment}, ${nameOf(model)}, ${nameOf(agent)}, ${condition}`
            unpaired.add(`Nothing to pair: ${name} has no temperature on both sides.`)
            continue
          }
          const pair = pairSides(one, other)
          const onePlay = { first: hasOnePlay(one), second: hasOnePlay(other) }
          const unchanged = one.unchanged && other.unchanged
          cells.push({ environment, model, agent, condition, tasks, ...pair, unchanged, onePlay })
          if (pair.pairedBy === 'task')
            unpaired.add(
              `The seeds are not the same, ${describeSeeds(pair, 'first')} in ${first.source} and ${describeSeeds(pair, 'second')} in ${second.source}: ` +
                "a task's mean over its seeds is compared with its mean over the others, with the task as the cluster.",
            )
        }
  return { cells, unpaired: [...unpaired], first, second }
}

/** The temperatures of a cell that the other side of it lacks. */
function temperaturesAlone(cell: OutcomeCell | undefined, other: OutcomeCell | undefined): number[] {
  if (cell === undefined || other === undefined) return []
  return cell.temperatures.filter((temperature) => !other.temperatures.includes(temperature))
}

/**
 * Pairs a cell's passes at the temperatures that both sides have. Where these have the same seeds, they are paired.
 * Otherwise each side keeps all of its passes but copies, and only tasks are paired.
 */
function pairSides(one: OutcomeCell, other: OutcomeCell) {
  const temperatures = one.temperatures.filter((temperature) => other.temperatures.includes(temperature))
  const both = [...new Set([...one.seeds, ...other.seeds])]
  const place = (cell: OutcomeCell, seeds: readonly number[]): Measurements =>
    takeParts(cell.played, {
      temperatures: temperatures.map((temperature) => cell.temperatures.indexOf(temperature)),
      seeds: seeds.map((seed) => cell.seeds.indexOf(seed)),
      tasks: placesOf(cell.played.shape).tasks,
    })
  const whole = { first: place(one, both), second: place(other, both) }
  const distinct = { first: withoutCopies(whole.first), second: withoutCopies(whole.second) }
  const paired = [whole, distinct].find(({ first, second }) =>
    first.planned.every((isPlanned, pass) => isPlanned === second.planned[pass]),
  )
  const sides = paired ?? {
    first: withoutCopies(place(one, one.seeds)),
    second: withoutCopies(place(other, other.seeds)),
  }
  const pair = paired === undefined ? pairByTask : pairBySeed
  return {
    temperatures,
    pairedBy: paired === undefined ? ('task' as const) : ('seed' as const),
    seeds: paired === undefined ? { first: one.seeds, second: other.seeds } : { first: both, second: both },
    sides,
    pairs: pair(sides.first, sides.second, [...temperatures.keys()]) satisfies Pairs,
  }
}

/**
 * The pairs of agents with which two models were played, among those `named`. Where none is given and each of the two
 * models was played with one agent only, those two agents are a pair, as in {@link pairNames}.
 */
function agentsOf(
  model: NamePair,
  first: Outcomes,
  second: Outcomes,
  named: readonly NamePair[],
  given: readonly NamePair[],
): readonly NamePair[] {
  const playing = ({ cells }: Outcomes, name: string): string[] =>
    namesOf({ cells: cells.filter((cell) => cell.model === name) }, 'agent')
  const [before, after] = [playing(first, model.first), playing(second, model.second)]
  if (given.length === 0 && before.length === 1 && after.length === 1) return [{ first: before[0]!, second: after[0]! }]
  return named.filter((pair) => before.includes(pair.first) || after.includes(pair.second))
}

function describeSeeds(pair: Pick<PairedCell, 'sides' | 'seeds'>, side: keyof NamePair): string {
  const seeds = seedsOf(pair, side).map(String)
  return `${count(seeds.length, 'seed')} (${shortList(seeds, 12)})`
}

/** The seeds of one side that are compared, at any temperature. */
export function seedsOf({ sides, seeds }: Pick<PairedCell, 'sides' | 'seeds'>, side: keyof NamePair): number[] {
  const all = seeds[side]
  return all.filter((_, at) => sides[side].planned.some((planned, pass) => planned === 1 && pass % all.length === at))
}

/**
 * A task's means on both sides, over what is compared of it: the mean over temperatures of the mean over the seeds of
 * each, of the pairs or, paired by task, of each side's own. Undefined where that is nothing.
 */
export function taskMeans({ pairs }: PairedCell, metric: Metric, task: number): Sides<number> | undefined {
  const [first, second] = [pairs[metric].first[task]!, pairs[metric].second[task]!]
  return Number.isNaN(first) ? undefined : { first, second }
}

/** Means of {@link taskMeans} over the tasks; undefined where none of them has any. */
export function meansOf(cell: PairedCell, metric: Metric): Sides<number> | undefined {
  const both = cell.tasks.flatMap((_, task) => taskMeans(cell, metric, task) ?? [])
  const [first, second] = [mean(both.map((one) => one.first)), mean(both.map((one) => one.second))]
  return first === undefined || second === undefined ? undefined : { first, second }
}

function describeAlone(
  first: Outcomes,
  second: Outcomes,
  pairs: Readonly<Record<'model' | 'agent', readonly NamePair[]>>,
  conditions: readonly string[],
  panels: readonly Panel[],
): string[] {
  return [['first', first] as const, ['second', second] as const].flatMap(([side, outcomes]) => {
    const paired = {
      environment: panels.map(({ environment }) => environment),
      model: pairs.model.map((pair) => pair[side]),
      agent: pairs.agent.map((pair) => pair[side]),
      condition: conditions,
    }
    return (['environment', 'model', 'agent', 'condition'] as const).flatMap((kind) => {
      const alone = namesOf(outcomes, kind).filter((name) => !paired[kind].includes(name))
      if (alone.length === 0) return []
      return `Only in ${outcomes.source}: ${kind}${alone.length === 1 ? '' : 's'} ${shortList(alone, 12)}.`
    })
  })
}

function namesOf({ cells }: Pick<Outcomes, 'cells'>, kind: 'environment' | 'model' | 'agent' | 'condition'): string[] {
  return [...new Set(cells.map((cell) => cell[kind]))]
}
