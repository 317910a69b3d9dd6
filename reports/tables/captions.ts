import type { Plan } from 'shaketable'
import { hashOf, usedIn } from 'shaketable'
import type { Aggregate, Group } from '../aggregate/aggregate.js'
import type { Experiment, ExperimentEnvironment } from '../aggregate/schema.js'
import { identifyExperiment } from '../aggregate/experiment.js'
import type { Table } from '../../src/tables/table.js'
import { count, grouped, listWords } from '../../src/tables/words.js'
import type { Detail } from './rows.js'

/**
 * What an interval, a deviation or an error generalises to, by what it takes as random: runs, tasks, or kinds of tasks.
 * Every caption of such figures has the sentence.
 */
export const speaksOf = {
  panel: 'It applies to other runs on the same tasks.',
  tasks: 'It applies to other tasks of these kinds, not to other kinds.',
  kinds: 'It applies to other kinds of tasks.',
} as const

/** The title of a table or chart: what it shows, of which environment, and whether the run is incomplete. */
export function titleTable(what: string, { partial, stopped }: Aggregate, environment?: string): string {
  const why = stopped ? 'the run was stopped before all was played' : 'the run was still being written'
  const where = environment === undefined ? '' : ` on ${environment}`
  return `${what}${where}${partial ? ` (PARTIAL: ${why})` : ''}`
}

/** Name, title and origin of a table on an environment, or on all of them where none is named. */
export function tableOn(
  aggregate: Aggregate,
  environment: string | undefined,
  name: string,
  title: string,
): Pick<Table, 'name' | 'environment' | 'title' | 'origin'> {
  return {
    name,
    ...(environment !== undefined && { environment }),
    title: titleTable(title, aggregate, environment),
    origin: describeOrigin(aggregate, environment, name === 'primary'),
  }
}

/**
 * The last sentences of every caption: what was run, its coverage, what is left out, and the plan; for all environments
 * where none is named.
 */
export function describeOrigin(aggregate: Aggregate, environment?: string, isPrimary = false): string[] {
  const groups = aggregate.groups.filter((group) => environment === undefined || group.environment === environment)
  return [
    ...(isPrimary ? [] : describeExploratory(aggregate)),
    ...describeExperiment(aggregate, environment),
    ...describeMeasures(aggregate, environment),
    ...describeTrials(aggregate),
    ...describeCounterparts(aggregate, environment),
    describeCoverage(groups),
    ...aggregate.omitted,
    `shaketable ${aggregate.version}, plan ${aggregate.plan}.`,
  ]
}

/** What the brackets of a rate hold: which deviation, over what, and what it does not cover. */
export function describeRuns({ seeds, temperatures }: Aggregate, detail: Detail): string[] {
  const runs = seeds.length * temperatures.length
  if (runs === 1) return ['A cell is one run, so there is no standard deviation.']
  if (seeds.length === 1) {
    return ['A cell is the mean over one run at each temperature, so there is no standard deviation.']
  }
  const several = detail === 'pooled' ? ' within a temperature' : ', in the rows named all within a temperature'
  const axis = `over ${count(seeds.length, 'seed')}${temperatures.length === 1 ? '' : several}`
  return [
    'A run is one seed at one temperature and scores its mean over tasks; a cell is the mean over runs.',
    `In brackets the sample standard deviation (n−1) ${axis}: how far runs scatter, not how far other tasks would. ${speaksOf.panel}`,
  ]
}

/**
 * What was run: `Environment household, version 1: 134 tasks (ALFWorld's, split valid-unseen, generation old; panel
 * 1f3a9c0e), prompt alfworld_base.json (5e0c11d2), 5 seeds (1–5), temperatures 0, 1, at most 30 steps and 512 tokens a
 * reply.`, then models, agents, conditions (in words where they are of one environment or asked for) and days, a
 * sentence each. Two experiments that differ in any of it differ here.
 */
export function describeExperiment({ experiment }: Aggregate, environment?: string, inWords = false): string[] {
  const { environments, models, agents, conditions, temperatures, seeds, maxSteps, maxReplyTokens, dates } = experiment
  const shown = environments.filter(({ name }) => environment === undefined || name === environment)
  const panels = shown.map(describeEnvironment)
  const isOne = panels.length === 1
  return [
    `${isOne ? 'Environment' : 'Environments'} ${panels.join('; ')}${isOne ? ',' : ';'} ${count(seeds.length, 'seed')} (${listSeeds(seeds)}), ` +
      `${temperatures.length === 1 ? 'temperature' : 'temperatures'} ${temperatures.join(', ')}, at most ${count(maxSteps, 'step')} and ${count(maxReplyTokens, 'token')} a reply.`,
    `${models.length === 1 ? 'Model' : 'Models'} ${listSome(models, describeModel)}; ${agents.length === 1 ? 'agent' : 'agents'} ${listSome(agents, ({ name, settings }) => withSettings(name, settings))}.`,
    ...describePairing(experiment),
    `${conditions.length === 1 ? 'Condition' : 'Conditions'} ${conditions.map((one) => describeCondition(one, environment, inWords)).join('; ')}.`,
    ...(dates === undefined
      ? []
      : [dates.first === dates.last ? `Played on ${dates.first}.` : `Played from ${dates.first} to ${dates.last}.`]),
  ]
}

/** Whether clean and perturbed twins share random numbers, for models behind a server. Older plans do not record it. */
function describePairing({ models }: Experiment): string[] {
  const pairings = [...new Set(models.map(({ settings }) => settings['pairing']))]
  return (['common', 'independent'] as const).flatMap((pairing) =>
    pairings.includes(pairing) ? [`Pairing ${pairing}: ${pairingWords[pairing]}.`] : [],
  )
}

const pairingWords = {
  common:
    'servers are sent the same seeds for an episode and its clean twin, and different ones for a condition that promises to change nothing',
  independent: 'servers are sent different seeds for each condition',
} as const

/** `household: 134 tasks (generated, split valid-unseen, generation old)`, for each environment of a plan. */
export function describeTasks(plan: Plan): string {
  const { environments } = identifyExperiment(plan, undefined)
  return environments
    .map((one) => {
      const data = describeData(one)
      return `${one.name}: ${count(one.tasks, 'task')}${data === '' ? '' : ` (${data})`}`
    })
    .join('; ')
}

function describeEnvironment(one: ExperimentEnvironment): string {
  const { name, version, tasks, panel } = one
  const data = describeData(one)
  const described = data === '' ? '' : `${data}; `
  return `${name}, version ${version}: ${count(tasks, 'task')} (${described}panel ${panel.slice(0, 8)}), prompt ${describePrompt(one)}`
}

/**
 * `ALFWorld's, split valid-unseen, generation old`: where the tasks of an environment come from. Empty where an older
 * version did not record it.
 */
export function describeData({ kind, from, split, leftOut, generation, settings }: ExperimentEnvironment): string {
  return [
    ...(kind === undefined ? [] : [kind === 'benchmark' && from !== undefined ? `${from}'s` : dataWords[kind]]),
    ...(split === undefined ? [] : [`split ${split}`]),
    ...(leftOut === undefined ? [] : [`${grouped(leftOut.count)} of ${grouped(leftOut.of)} left out as damaged`]),
    ...(generation === undefined ? [] : [`generation ${generation}`]),
    ...listSettings(settings),
  ].join(', ')
}

const dataWords = { generated: 'generated', benchmark: "the benchmark's", files: 'from files' } as const

/** The name of a prompt file and its hash, or that there is none. */
export function describePrompt({ prompt }: ExperimentEnvironment): string {
  if (prompt === undefined) return "shaketable's own"
  const hash = prompt.hash.slice(0, 8)
  return prompt.file === undefined ? `file ${hash}` : `${prompt.file} (${hash})`
}

function describeModel({ name, server, settings, agents }: Experiment['models'][number]): string {
  const model = withSettings(server === undefined ? name : `${name} at ${server}`, settings)
  return agents === undefined ? model : `${model} with ${listWords(agents)}`
}

/** A condition's label and version, and its summary where `inWords` is set or an environment is named. */
export function describeCondition(
  { label, changes }: Experiment['conditions'][number],
  environment: string | undefined,
  inWords: boolean,
): string {
  const here = changes.filter((change) => environment === undefined || change.environment === environment)
  const versions = [...new Set(here.map(({ version }) => version))].join('+')
  const name = versions === '' || versions === '1' ? label : `${label} (version ${versions})`
  if (here.length === 0 || (environment === undefined && !inWords)) return name
  const summaries = [...new Set(here.map(({ summary }) => summary))].filter((summary) => summary !== '')
  return summaries.length === 0 ? name : `${name}: ${summaries.join(' + ')}`
}

function withSettings(name: string, settings: Readonly<Record<string, unknown>>): string {
  const words = listSettings(settings)
  return words.length === 0 ? name : `${name} (${words.join(', ')})`
}

/** Samplers in words. They shape the distribution of replies, so a caption names all of them. */
function describeSamplers(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const words = Object.entries(value).map(([name, one]) => `${name} ${String(one)}`)
  const text = words.join(', ')
  return text.length <= 300 ? `{ ${text} }` : undefined
}

/** Settings as `contextTokens 4096`; long values and objects as a hash. */
export function listSettings(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).map(([key, value]) => {
    const samplers = key === 'sampling' || key === 'serverSampling' ? describeSamplers(value) : undefined
    if (samplers !== undefined) return `${key} ${samplers}`
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return `${key} ${text.length <= 40 && !text.startsWith('{') ? text : `#${hashOf(value, 8)}`}`
  })
}

/** A list in words; what exceeds the maximum becomes a count and a hash. */
function listSome<One>(all: readonly One[], describe: (one: One) => string, max = 8): string {
  const rest = all.slice(max)
  const shown = all.slice(0, max).map(describe)
  return [...shown, ...(rest.length === 0 ? [] : [`and ${grouped(rest.length)} more (#${hashOf(rest, 8)})`])].join(', ')
}

/** What progress and success measure, for the environments whose plan says so. */
function describeMeasures({ environments }: Aggregate, environment?: string): string[] {
  return environments.flatMap(({ name, measure }) =>
    measure === undefined || (environment !== undefined && name !== environment)
      ? []
      : [`Measure on ${name}: ${measure}.`],
  )
}

/** The notices on an environment or on the whole run, for a figure that stands alone. */
export function describeNotices({ notices }: Aggregate, environment?: string): string[] {
  return notices
    .filter((notice) => environment === undefined || [undefined, environment].includes(notice.environment))
    .map(({ text }) => `NOTICE: ${text}`)
}

/** The sentence of every table but that of the primary endpoint. */
function describeExploratory({ primary }: Aggregate): string[] {
  if (primary === undefined) return []
  const { metric, columns } = primary
  return [
    `Exploratory: the primary endpoint is the mean change of ${metric} over ${count(columns.length, 'condition')} (table primary).`,
  ]
}

/** The agents that may try a task more than once, in words. */
function describeTrials({ agents }: Aggregate): string[] {
  return agents.flatMap(({ name, settings }) => {
    const { trials, agent } = settings as { readonly trials?: unknown; readonly agent?: unknown }
    const { most, counts, reflections } = (trials ?? {}) as Readonly<Record<string, unknown>>
    if (typeof most !== 'number' || typeof agent !== 'string') return []
    const between =
      typeof reflections === 'number'
        ? `after each failure the model writes a reflection, and the next trial shows it the last ${count(reflections, 'reflection')}`
        : 'they are independent and differ by their seeds'
    return [
      `${name}: up to ${count(most, 'trial')} at a task by the agent ${agent}, until one succeeds; ${between}. Success and progress are those of the ${counts === 'best' ? 'best' : 'last'} trial; ` +
        'steps, calls and tokens are summed over all trials, and the step limit applies to each.',
    ]
  })
}

/** Which other perturbations a column stands for in an environment that has its own counterparts. */
function describeCounterparts({ columns, environments }: Aggregate, environment?: string): string[] {
  const shown = environments.map(({ name }) => name).filter((name) => environment === undefined || name === environment)
  return shown.flatMap((name) => {
    const others = columns.flatMap(({ label, perturbations }) => {
      const used = usedIn(perturbations, name).map((one) => one.name)
      const written = label.split('+').map((part) => part.split(':', 1)[0]!)
      return used.every((one) => written.includes(one)) ? [] : [`${label} is ${used.join('+')}`]
    })
    return others.length === 0 ? [] : [`On ${name} ${listWords(others)}.`]
  })
}

function describeCoverage(groups: readonly Group[]): string {
  const valid = total(groups.map(({ pooled }) => pooled.coverage.valid))
  const planned = total(groups.map(({ pooled }) => pooled.coverage.planned))
  const share = `Coverage ${percentDown(valid, planned)} (${grouped(valid)} of ${count(planned, 'planned episode')})`
  if (valid === planned) return `${share}.`
  const broken = total(
    groups.map(({ pooled }) => pooled.outcomes['model-error'] + pooled.outcomes['environment-error']),
  )
  return `${share}: ${grouped(broken)} broken, ${grouped(planned - valid - broken)} not played; neither enters a mean, and † marks the cells.`
}

/** Rounded down, so that 100 % means all of it. */
function percentDown(part: number, whole: number): string {
  return whole === 0 ? '–' : `${(Math.floor((1000 * part) / whole) / 10).toFixed(part === whole ? 0 : 1)} %`
}

/** Seeds as `1–5`, or as a list; a long list ends in a hash. */
export function listSeeds(seeds: readonly number[]): string {
  const consecutive = seeds.length > 2 && seeds.every((seed, index) => seed === seeds[0]! + index)
  if (consecutive) return `${String(seeds[0])}–${String(seeds.at(-1))}`
  return seeds.length <= 12 ? seeds.join(', ') : `${seeds.slice(0, 11).join(', ')}, … #${hashOf(seeds, 8)}`
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
