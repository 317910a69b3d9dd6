import { mean } from '../statistics/dispersion.js'
import { commonPanels, shortList } from './check-panels.js'
import type { OutcomeCell, Outcomes, Panel } from './outcomes.js'
import type { NamePair } from './pair-names.js'
import { pairNames } from './pair-names.js'

/** What can be measured of an episode. */
export type Metric = 'success' | 'progress'

/** The two sides of a comparison, paired by task, seed and temperature. */
export interface Pairing {
  /** In the first side's order; a cell of which no pass is on both sides is not here but in `unpaired`. */
  readonly cells: readonly PairedCell[]
  /** What only one side has, in sentences. */
  readonly unpaired: readonly string[]
}

/** One environment × model × agent × column on both sides. Lists are by the panel's tasks, then by passes. */
export interface PairedCell {
  readonly environment: string
  readonly model: NamePair
  readonly agent: NamePair
  readonly column: string
  readonly tasks: Panel['tasks']
  /** Each seed at each temperature that both sides have. */
  readonly passes: readonly { readonly temperature: number; readonly seed: number }[]
  /** 1 or 0; null where there is no measurement. */
  readonly success: Readonly<Record<keyof NamePair, readonly (readonly (0 | 1 | null)[])[]>>
  /** 0 to 1; null where there is no measurement. */
  readonly progress: Readonly<Record<keyof NamePair, readonly (readonly (number | null)[])[]>>
  /** Tasks on which the column changed nothing on either side. */
  readonly unchanged: readonly boolean[]
}

/** What is called differently on the two sides; see {@link pairNames}. */
export interface PairOptions {
  readonly models?: readonly NamePair[]
  readonly agents?: readonly NamePair[]
}

/**
 * Pairs what both sides have played.
 * @throws ShaketableError `bad-input` where the panels of an environment differ; `usage` for a name that is not there.
 */
export function pairCells(first: Outcomes, second: Outcomes, { models, agents }: PairOptions = {}): Pairing {
  const panels = commonPanels(first, second)
  const pairsOf = (kind: 'model' | 'agent', given?: readonly NamePair[]): NamePair[] =>
    pairNames(kind, namesOf(first, kind), namesOf(second, kind), given)
  const pairs = { model: pairsOf('model', models), agent: pairsOf('agent', agents) }
  const columns = namesOf(first, 'column').filter((column) => namesOf(second, 'column').includes(column))
  const [before, after] = [groupCells(first), groupCells(second)]
  const cells: PairedCell[] = []
  const missing = new Set<string>()
  for (const panel of panels)
    for (const model of pairs.model)
      for (const agent of pairs.agent)
        for (const column of columns) {
          const [one, other] = [before, after].map((groups, side) => {
            const name = side === 0 ? 'first' : 'second'
            return groups.get(keyOf(panel.environment, model[name], agent[name], column)) ?? []
          }) as [OutcomeCell[], OutcomeCell[]]
          const paired = pairGroup(one, other)
          const names = `${panel.environment}, ${nameOf(model)}, ${nameOf(agent)}, ${column}`
          for (const [own, sources] of [
            [one, [first, second]],
            [other, [second, first]],
          ] as const) {
            for (const what of paired.alone(own)) missing.add(`Only in ${sources[0].source}: ${what}.`)
          }
          if (paired.passes.length > 0)
            cells.push({
              environment: panel.environment,
              model,
              agent,
              column,
              tasks: panel.tasks,
              passes: paired.passes,
              success: paired.read('success'),
              progress: paired.read('progress'),
              unchanged: panel.tasks.map((_, task) =>
                [...one, ...other].every((cell) => cell.unchanged[task] === true),
              ),
            })
          else if (one.length + other.length > 0)
            missing.add(`Nothing to pair: ${names} has no seed and temperature on both sides.`)
        }
  return { cells, unpaired: [...describeAlone(first, second, pairs, columns, panels), ...missing] }
}

/** Second minus first by task, one for each pass of which both halves are measurements; below 0 the second is worse. */
export function differencesOf(cell: PairedCell, metric: Metric): number[][] {
  const { first, second } = cell[metric]
  return first.map((values, task) =>
    values.flatMap((value, pass) => {
      const other = second[task]![pass]!
      return value === null || other === null ? [] : other - value
    }),
  )
}

/** The mean difference of each task, second minus first; null where a task has no pair. */
export function taskDifferences(cell: PairedCell, metric: Metric): (number | null)[] {
  return differencesOf(cell, metric).map((differences) => mean(differences) ?? null)
}

/** The cells of one environment × model × agent × column, one for each temperature. */
function groupCells({ cells }: Outcomes): Map<string, OutcomeCell[]> {
  const groups = new Map<string, OutcomeCell[]>()
  for (const cell of cells) {
    const key = keyOf(cell.environment, cell.model, cell.agent, cell.column)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [cell])
    else group.push(cell)
  }
  return groups
}

function pairGroup(first: readonly OutcomeCell[], second: readonly OutcomeCell[]) {
  const passesOf = (cells: readonly OutcomeCell[]) =>
    new Map(
      cells.flatMap((cell) =>
        cell.seeds.map(
          (seed, place) => [`${String(cell.temperature)} ${String(seed)}`, { cell, seed, place }] as const,
        ),
      ),
    )
  const [before, after] = [passesOf(first), passesOf(second)]
  const common = [...before.keys()].filter((pass) => after.has(pass))
  const readSide = <Kind extends Metric>(passes: ReturnType<typeof passesOf>, metric: Kind): OutcomeCell[Kind] => {
    const chosen = common.map((pass) => passes.get(pass)!)
    const tasks = chosen[0]?.cell[metric].length ?? 0
    return Array.from({ length: tasks }, (_, task) =>
      chosen.map(({ cell, place }) => cell[metric][task]![place]!),
    ) as unknown as OutcomeCell[Kind]
  }
  return {
    passes: common.map((pass) => {
      const { cell, seed } = before.get(pass)!
      return { temperature: cell.temperature, seed }
    }),
    read: <Kind extends Metric>(metric: Kind) => ({ first: readSide(before, metric), second: readSide(after, metric) }),
    /** What one side has that the other has not: seeds by temperature, whole temperatures where none of their seeds is shared. */
    alone: (cells: readonly OutcomeCell[]): string[] => {
      const others = cells === first ? after : before
      return others.size === 0
        ? []
        : cells.flatMap(({ temperature, seeds }) => {
            const left = seeds.filter((seed) => !others.has(`${String(temperature)} ${String(seed)}`))
            if (left.length === 0) return []
            if (left.length === seeds.length) return `temperature ${String(temperature)}`
            const list = shortList(left.map(String), 12)
            return `${left.length === 1 ? 'seed' : 'seeds'} ${list} at temperature ${String(temperature)}`
          })
    },
  }
}

function describeAlone(
  first: Outcomes,
  second: Outcomes,
  pairs: Readonly<Record<'model' | 'agent', readonly NamePair[]>>,
  columns: readonly string[],
  panels: readonly Panel[],
): string[] {
  const sides = [
    { side: 'first', outcomes: first },
    { side: 'second', outcomes: second },
  ] as const
  return sides.flatMap(({ side, outcomes }) => {
    const paired = {
      environment: panels.map(({ environment }) => environment),
      model: pairs.model.map((pair) => pair[side]),
      agent: pairs.agent.map((pair) => pair[side]),
      column: columns,
    }
    return (['environment', 'model', 'agent', 'column'] as const).flatMap((kind) => {
      const alone = namesOf(outcomes, kind).filter((name) => !paired[kind].includes(name))
      if (alone.length === 0) return []
      return `Only in ${outcomes.source}: ${kind}${alone.length === 1 ? '' : 's'} ${shortList(alone, 12)}.`
    })
  })
}

function namesOf({ cells }: Outcomes, kind: 'environment' | 'model' | 'agent' | 'column'): string[] {
  return [...new Set(cells.map((cell) => cell[kind]))]
}

/** `a`, or `a → b` where the two sides call it differently. */
export function nameOf({ first, second }: NamePair): string {
  return first === second ? first : `${first} → ${second}`
}

function keyOf(...names: readonly string[]): string {
  return JSON.stringify(names)
}
