import type { PublishedRow } from '../results/published/parse-published.js'
import type { Check, Finding, Sheet } from './sheet.js'
import { groupBy, keyOf, linesOf, nameLines, nameRow, settingKey, slack } from './sheet.js'

/** A way to average scores over environments. */
export interface Weighting {
  readonly environments: readonly string[]
  /** By the number of their tasks, or equally. */
  readonly by: 'tasks' | 'environments'
}

/**
 * All printed figures of a model by environment: usually one figure, several where tables disagree, the most frequent
 * one first.
 */
type Figures = ReadonlyMap<string, readonly PublishedRow[]>

/** A printed score with the cells that it may be made of. */
interface Scored {
  readonly row: PublishedRow
  readonly cells: Figures
}

/** With more environments not every set of them is tried. */
const maxEnvironments = 8
/** The number of scores of a table that are recomputed with the figures of other tables. */
const maxAlternatives = 100

/**
 * Scores over several environments: which weighting of which environments gives all scores of a table? The cells of a
 * score are those of the same model, setting, perturbation and metric, in any table.
 */
export function checkWeighted(sheet: Sheet): { readonly check: Check; readonly weightings: readonly Weighting[] } {
  const cells = groupBy(sheet.of('cell'), family)
  const tables = groupBy(sheet.of('weighted'), ({ table, environment }) => keyOf(table, environment))
  const known = new Map([...cells].map(([key, rows]) => [key, figuresOf(rows)]))
  const none: Figures = new Map()
  const tried = [...tables.values()].flatMap((rows): Tried[] => {
    const scored = rows.flatMap((row): Scored[] => {
      const figures = known.get(family(row)) ?? none
      return figures.size < 2 ? [] : [{ row, cells: figures }]
    })
    const weightings = weightingsOf(sheet, scored).map((weighting) => ({
      weighting,
      hits: scored.filter((one) => isScore(sheet, one, weighting)),
    }))
    const maxHits = Math.max(0, ...weightings.map(({ hits }) => hits.length))
    const best = weightings.filter(({ hits }) => hits.length === maxHits)
    return best.length === 0 ? [] : [{ scored, hits: best[0]!.hits, best: best.map(({ weighting }) => weighting) }]
  })
  const sum = (count: (one: Tried) => number): number => tried.reduce((total, one) => total + count(one), 0)
  const checked = sum(({ scored }) => scored.length)
  const found = tried.filter(({ scored, hits }) => hits.length === scored.length).flatMap(({ best }) => best)
  return {
    check: {
      name: 'weighted scores',
      asks: 'is a score over several environments a mean of theirs?',
      checked,
      held: sum(({ hits }) => hits.length),
      unchecked: sheet.of('weighted').length - checked,
      findings: tried.flatMap((one) => describeTried(sheet, one)),
    },
    weightings: [...new Map(found.map((weighting) => [describeWeighting(weighting, sheet), weighting])).values()],
  }
}

/** Scores of one kind in one table, the weightings that reproduce most of them, and the scores that they reproduce. */
interface Tried {
  readonly scored: readonly Scored[]
  readonly hits: readonly Scored[]
  readonly best: readonly Weighting[]
}

function describeTried(sheet: Sheet, { scored, hits, best }: Tried): Finding[] {
  const [weighting] = best
  const { table, environment } = scored[0]!.row
  if (hits.length === scored.length) {
    const ways = best.slice(0, 3).map((one) => describeWeighting(one, sheet))
    return [
      {
        severity: 'note',
        lines: linesOf(scored.map(({ row }) => row)),
        message: `${table}, ${environment}: all ${String(hits.length)} scores whose cells are in the file reproduce as the mean of ${ways.join(', or of ')}.`,
      },
      ...scored.slice(0, maxAlternatives).flatMap((one) => describeAlternatives(sheet, one, weighting!)),
    ]
  }
  const share = `${String(hits.length)} of the ${String(scored.length)} scores`
  return scored
    .filter((one) => !hits.includes(one))
    .map(({ row, cells }) => ({
      severity: 'doubt',
      lines: linesOf(
        [row],
        [...cells.values()].map(([cell]) => cell!),
      ),
      message:
        `${table}: ${nameRow(row)} is printed as ${sheet.print(row)}, but the mean of ${describeWeighting(weighting!, sheet)}, is ` +
        `${scoreOf(sheet, cells, weighting!).toFixed(2)}; no other mean gives more than ${share}.`,
    }))
}

function isScore(sheet: Sheet, { row, cells }: Scored, weighting: Weighting): boolean {
  return Math.abs(scoreOf(sheet, cells, weighting) - row.value) <= sheet.unitOf(row) / 2 + slack
}

/** The mean of a model's figures by a weighting. */
export function scoreOf({ tasks }: Sheet, figures: Figures, { environments, by }: Weighting): number {
  let [sum, weights] = [0, 0]
  for (const environment of environments) {
    const weight = by === 'tasks' ? tasks.get(environment)! : 1
    sum += weight * figures.get(environment)![0]!.value
    weights += weight
  }
  return sum / weights
}

/** `alfworld, babyai and pddl, weighted by their 306 tasks`. */
function describeWeighting({ environments, by }: Weighting, { tasks, assumedFrom }: Sheet): string {
  const names = `${environments.slice(0, -1).join(', ')} and ${environments.at(-1)!}`
  const total = environments.reduce((sum, environment) => sum + (tasks.get(environment) ?? 0), 0)
  if (by === 'environments') return `${names}, weighted equally`
  return `${names}, weighted by their ${String(total)} tasks${assumedFrom === undefined ? '' : ` (${assumedFrom}'s counts, assumed)`}`
}

/** What a model's cells have in common, whatever the table and the environment. */
function family({ model, setting, perturbation, metric }: PublishedRow): string {
  return keyOf(model, settingKey(setting), perturbation, metric)
}

/** Cells by environment; within one, the rows with the most frequent figure come first. */
export function figuresOf(rows: readonly PublishedRow[]): Figures {
  return new Map(
    [...groupBy(rows, ({ environment }) => environment)].map(([environment, same]) => {
      const byValue = [...groupBy(same, ({ value }) => String(value)).values()]
      return [environment, byValue.sort((a, b) => b.length - a.length).flat()]
    }),
  )
}

/** Every set of two or more environments with cells for all scores, weighted equally and, where known, by tasks. */
function weightingsOf({ tasks }: Sheet, scored: readonly Scored[]): Weighting[] {
  const common = [...(scored[0]?.cells.keys() ?? [])].filter((environment) =>
    scored.every(({ cells }) => cells.has(environment)),
  )
  const sets = (common.length > maxEnvironments ? [common] : subsetsOf(common)).filter(({ length }) => length > 1)
  return sets.flatMap((environments) =>
    (['tasks', 'environments'] as const)
      .filter((by) => by === 'environments' || environments.every((environment) => tasks.has(environment)))
      .map((by) => ({ environments, by })),
  )
}

function subsetsOf(names: readonly string[]): string[][] {
  return names.reduceRight<string[][]>((sets, name) => [...sets.map((set) => [name, ...set]), ...sets], [[]])
}

/** Where tables disagree on a cell: the score with the other figure. */
function describeAlternatives(sheet: Sheet, { row, cells }: Scored, weighting: Weighting): Finding[] {
  return weighting.environments.flatMap((environment) => {
    const [used, ...others] = cells.get(environment)!
    return [...groupBy(others, ({ value }) => String(value)).values()].slice(0, 3).flatMap((same): Finding[] => {
      const other = same[0]!
      if (other.value === used!.value) return []
      const replaced = new Map([...cells, [environment, same] as const])
      if (isScore(sheet, { row, cells: replaced }, weighting)) return []
      const score = scoreOf(sheet, replaced, weighting).toFixed(2)
      return [
        {
          severity: 'note',
          lines: linesOf([row], same),
          message: `${row.table}: ${nameRow(row)} is printed as ${sheet.print(row)}, which fits ${sheet.print(used!)} for ${environment}; with the ${sheet.print(other)} of ${other.table} (${nameLines(same)}) it would be ${score}.`,
        },
      ]
    })
  })
}
