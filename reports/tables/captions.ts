import type { Aggregate, Group } from '../../src/results/aggregate.js'
import { defined, sumOf } from '../../src/results/lists.js'
import { speaksOf } from '../../src/results/statements.js'
import { type Identity, countRuns, describeSeeds, identityOf } from '../../src/results/summary/identity.js'
import type { Row, Table } from '../../src/tables/table.js'
import { count, grouped, sentences } from '../../src/tables/words.js'
import type { Detail } from './rows.js'

/** The title of a table or chart: what it shows, of which environment, and whether the run is incomplete. */
export function titleTable(what: string, aggregate: Aggregate, environment?: string): string {
  const why = describePartial(aggregate)
  return `${what}${environment === undefined ? '' : ` on ${environment}`}${why === undefined ? '' : ` (${why})`}`
}

/** Why a run is incomplete; undefined for a complete one. */
export function describePartial({ partial, stopped }: Aggregate): string | undefined {
  if (!partial) return undefined
  return `PARTIAL: the run was ${stopped ? 'stopped before all was played' : 'still being written'}`
}

/** Name, part, title and origin of a table on an environment, or on all of them where none is named. */
export function tableOn(
  aggregate: Aggregate,
  environment: string | undefined,
  name: string,
  title: string,
  by?: string,
): Pick<Table, 'name' | 'by' | 'environment' | 'title' | 'origin'> {
  return {
    ...{ name, ...defined({ by, environment }), title: titleTable(title, aggregate, environment) },
    origin: describeOrigin(aggregate, environment, by === 'primary'),
  }
}

/**
 * The last sentences of every caption: what was run, its coverage, what is left out, and the plan; for all environments
 * where none is named.
 */
export function describeOrigin(aggregate: Aggregate, environment?: string, isPrimary = false): string[] {
  const { primary, groups, omitted, environments } = aggregate
  const facts = identityOf(aggregate, environment)
  const isOn = (name: string): boolean => environment === undefined || name === environment
  return sentences([
    primary !== undefined &&
      !isPrimary &&
      `Exploratory: the primary endpoint is the mean change of ${primary.metric} over ${count(primary.conditions.length, 'condition')} (table changes, by primary).`,
    ...facts.slice(0, -1).map(sentence),
    describeCoverage(groups.filter((group) => isOn(group.environment))),
    ...omitted,
    ...environments.map(
      ({ name, measure }) => measure !== undefined && isOn(name) && `Measure on ${name}: ${measure}.`,
    ),
    ...facts.slice(-1).map(({ value }) => `${value}.`),
  ])
}

/** The lines above a file of figures: the notices, and what was run. */
export function csvHeader(aggregate: Aggregate): string[] {
  return [...describeNotices(aggregate), ...describeExperiment(aggregate), 'Shares are of 1, unrounded.']
}

/** What was run, a sentence for each fact of the identity. */
export function describeExperiment(aggregate: Aggregate, environment?: string): string[] {
  return identityOf(aggregate, environment).map(sentence)
}

function sentence({ name, value }: Identity): string {
  return `${name}: ${value}.`
}

/** What the brackets of a rate hold: which deviation, over what, and what it does not cover. */
export function describeRuns({ experiment, temperatures }: Aggregate, detail: Detail): string[] {
  const runs = countRuns(experiment)
  if (runs === '1') return ['A cell is one run, so there is no standard deviation.']
  if (experiment.runs.every(({ seeds }) => seeds.at(-1) === 1)) {
    return ['A cell is the mean over one run at each temperature, so there is no standard deviation.']
  }
  const isEach = detail === 'each-temperature'
  const counts = new Set(experiment.runs.flatMap(({ seeds }) => seeds))
  const axis = counts.size === 1 ? `over ${count([...counts][0]!, 'seed')}` : 'over seeds'
  const several = isEach ? ', in the rows named all within a temperature' : ' within a temperature'
  return sentences([
    'A run is one seed at one temperature and scores its mean over tasks; a cell is the mean over runs.',
    temperatures.length > 1 &&
      `${isEach ? 'In the rows named all' : 'Over several temperatures'} it is the mean of the means at each temperature (${runs} runs: ${describeSeeds(experiment)}).`,
    `In brackets the sample standard deviation (n−1) ${axis}${temperatures.length === 1 ? '' : several}: how far runs scatter, not how far other tasks would. ${speaksOf.panel}`,
  ])
}

/** The notices on an environment or on the whole run, for a figure that stands alone. */
export function describeNotices({ notices }: Aggregate, environment?: string): string[] {
  return notices
    .filter((notice) => environment === undefined || [undefined, environment].includes(notice.environment))
    .map(({ text }) => `NOTICE: ${text}`)
}

/** That published rows of a table are of other games or prompts, where they are. */
export function describePublished({ notices }: Aggregate, rows: readonly Row[], environment?: string): string[] {
  if (rows.every(({ published }) => published === undefined)) return []
  return notices
    .filter(({ kind }) => kind === 'published')
    .filter((notice) => environment === undefined || notice.environment === environment)
    .map(({ text }) => text)
}

function describeCoverage(groups: readonly Group[]): string {
  const valid = sumOf(groups, ({ pooled }) => pooled.coverage.valid)
  const planned = sumOf(groups, ({ pooled }) => pooled.coverage.planned)
  // Rounded down, so that 100 % means all of it.
  const percent = (Math.floor((1000 * valid) / planned) / 10).toFixed(valid === planned ? 0 : 1)
  const share = `Coverage ${planned === 0 ? '–' : `${percent} %`} (${grouped(valid)} of ${count(planned, 'planned episode')})`
  if (valid === planned) return `${share}.`
  const broken = sumOf(groups, ({ pooled: { outcomes } }) => outcomes['model-error'] + outcomes['environment-error'])
  return `${share}: ${grouped(broken)} broken, ${grouped(planned - valid - broken)} not played; neither enters a mean, and † marks the cells.`
}
