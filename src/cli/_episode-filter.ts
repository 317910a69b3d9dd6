import type { EpisodeRow } from '../core/episode.js'
import { isValid, outcomes } from '../core/episode.js'
import { ShaketableError, nearMiss, unknownName } from '../core/errors.js'
import type { Plan } from '../core/report.js'
import { pairsOf } from '../core/report.js'
import { harmlessLine } from './_harmless.js'

/** Flags that choose among the episodes of a run. */
export interface EpisodeFlags {
  readonly environment?: string
  readonly task?: string
  readonly column?: string
  readonly model?: string
  readonly agent?: string
  readonly temperature?: string
  readonly seed?: string
  readonly outcome?: string
}

/** What can be asked for as an outcome: each of them, and `error` for both errors. */
export const outcomeNames: readonly string[] = [...outcomes, 'error']

/** Makes a test for rows. @throws ShaketableError `usage` for a name that the plan does not have, with the near miss */
export function createEpisodeFilter(
  plan: Plan,
  key: string | undefined,
  flags: EpisodeFlags,
): (row: EpisodeRow) => boolean {
  if (key !== undefined && !/^[0-9a-f]{1,20}$/.test(key)) {
    throw new ShaketableError(
      'usage',
      `Expected the beginning of an episode's key (up to 20 hex digits), got '${harmlessLine(key.slice(0, 100))}'.`,
    )
  }
  const choose = (kind: string, value: string | undefined, known: readonly string[]): string | undefined => {
    if (value === undefined || known.includes(value)) return value
    const near = nearMiss(value, known)
    const nearest = near === undefined ? known.slice(0, 12) : [near]
    const message = known.length <= 12 ? unknownName(kind, value, known) : unknownName(kind, value, nearest)
    throw new ShaketableError('usage', message)
  }
  const environment = choose(
    'environment',
    flags.environment,
    plan.environments.map(({ name }) => name),
  )
  const task = choose(
    'task',
    flags.task,
    plan.environments.flatMap(({ tasks }) => tasks.map(({ id }) => id)),
  )
  const column = choose(
    'column',
    flags.column,
    plan.columns.map(({ label }) => label),
  )
  const model = choose(
    'model',
    flags.model,
    plan.models.map(({ name }) => name),
  )
  const played = pairsOf(plan).filter((pair) => model === undefined || pair.model.name === model)
  const agent = choose(
    'agent',
    flags.agent,
    plan.agents.map(({ name }) => name).filter((name) => played.some(({ agent }) => agent.name === name)),
  )
  const temperature = choose('temperature', plainNumber(flags.temperature), plan.temperatures.map(String))
  const seed = choose('seed', plainNumber(flags.seed), plan.seeds.map(String))
  const outcome = choose('outcome', flags.outcome, outcomeNames)
  const is = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === value
  return (row) =>
    (key === undefined || row.key.startsWith(key)) &&
    is(environment, row.environment) &&
    is(task, row.task) &&
    is(column, row.column) &&
    is(model, row.model) &&
    is(agent, row.agent) &&
    is(temperature, String(row.temperature)) &&
    is(seed, String(row.seed)) &&
    (outcome === 'error' ? !isValid(row.outcome) : is(outcome, row.outcome))
}

/** `1.0` as `1`, the way the plan's numbers are written. */
function plainNumber(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? text : String(Number(text))
}
