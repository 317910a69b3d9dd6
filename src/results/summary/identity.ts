import { type Plan, hashOf, labelWithout } from '../../define.js'
import { identifyExperiment } from '../experiment.js'
import { groupBy } from '../lists.js'
import type { Aggregate, Experiment, Figures } from '../schema.js'
import { count, grouped, listWords } from '../../tables/words.js'
import { shortChange } from './figures.js'

type Environment = Experiment['environments'][number]

/** One fact that identifies a run: `Tasks`, `household, version 1: 50 tasks (generated; panel d5abb1d8)`. */
export type Identity = Aggregate['identity'][number]

/**
 * What identifies a run, the essential first, as every caption, CSV file, page and report.json have it: two runs that
 * differ in any of it differ here. Of all environments where none is named.
 */
export function identityOf(
  { experiment, version, plan }: Pick<Figures, 'experiment' | 'version' | 'plan'>,
  environment?: string,
): Identity[] {
  const { environments, models, agents, conditions, seeds, maxSteps, maxReplyTokens, dates, cost } = experiment
  const shown = environments.filter(({ name }) => environment === undefined || name === environment)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Tasks', shown.map(describePanel).join('; ')],
    [plural('Agent', agents), listSome(agents, ({ name, settings }) => withSettings(name, settings))],
    [plural('Prompt', shown), describePrompts(shown)],
    ['Limits', `at most ${count(maxSteps, 'step')} and ${count(maxReplyTokens, 'token')} a reply`],
    ['Runs', describeSeeds(experiment, listSeeds(seeds))],
    [plural('Model', models), listSome(models, describeModel)],
    ['Pairing', describePairing(experiment)],
    ['Played', dates && (dates.first === dates.last ? dates.first : `${dates.first} to ${dates.last}`)],
    ['Cost', cost && describeUse(cost)],
    [plural('Condition', conditions), describeConditions(conditions, environment)],
    ['Version', `shaketable ${version}, plan ${plan}`],
  ]
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

/**
 * The planned seeds of a model at each temperature: `3 seeds, temperatures 0, 1`, or `1 seed at temperature 0, 3 at 1`.
 * `listed` names the seeds.
 */
export function describeSeeds({ runs }: Pick<Experiment, 'runs'>, listed?: string): string {
  const counts = runs.map(({ seeds }) =>
    seeds.length > 1 ? `${String(seeds[0])} to ${String(seeds.at(-1))}` : `${String(seeds[0])}`,
  )
  const [first] = counts
  const named = (seeds: string): string => `${seeds} ${seeds === '1' ? 'seed' : 'seeds'}`
  const which = listed === undefined ? '' : ` (${listed})`
  if (counts.every((seeds) => seeds === first)) {
    const temperatures = runs.map(({ temperature }) => String(temperature)).join(', ')
    return `${named(first!)}${which}, ${plural('temperature', runs)} ${temperatures}`
  }
  const parts = runs.map(({ temperature }, place) =>
    place === 0
      ? `${named(first!)} at temperature ${String(temperature)}`
      : `${counts[place]!} at ${String(temperature)}`,
  )
  return `${parts.join(', ')}${which}`
}

/** The planned runs of a model, every seed at every temperature: `4`, or `4 to 6` where models differ. */
export function countRuns({ runs }: Pick<Experiment, 'runs'>): string {
  const [least, most] = [0, -1].map((place) => runs.reduce((sum, { seeds }) => sum + seeds.at(place)!, 0))
  return least === most ? String(least) : `${String(least)} to ${String(most)}`
}

function plural(noun: string, { length }: { readonly length: number }): string {
  return length === 1 ? noun : `${noun}s`
}

/** `1,200 calls, 1,204,332 prompt tokens and 60,000 reply tokens` */
export function describeUse({ calls, promptTokens, completionTokens }: NonNullable<Experiment['cost']>): string {
  return `${count(calls, 'call')}, ${count(promptTokens, 'prompt token')} and ${count(completionTokens, 'reply token')}`
}

/** Whether clean and perturbed twins share random numbers, for models behind a server. */
function describePairing({ models }: Experiment): string | undefined {
  if (models.every(({ settings }) => settings['pairing'] === undefined)) return undefined
  return 'common (servers are sent the same seeds for an episode and its clean twin, and different ones for a condition that promises to change nothing and for draws beyond the first)'
}

/** `household: 134 tasks (generated, split valid-unseen, generation old)`, for each environment of a plan. */
export function describeTasks(plan: Plan): string {
  const { environments } = identifyExperiment(plan)
  return environments
    .map((environment) => {
      const data = describeData(environment).join(', ')
      return `${environment.name}: ${count(environment.tasks, 'task')}${data === '' ? '' : ` (${data})`}`
    })
    .join('; ')
}

function describePanel(environment: Environment): string {
  const { name, version, tasks, panel } = environment
  const data = describeData(environment).join(', ')
  return `${name}, version ${version}: ${count(tasks, 'task')} (${data === '' ? '' : `${data}; `}panel ${panel.slice(0, 8)})`
}

/** The prompt of all environments, or that of each where they differ: the name of a file and its hash. */
function describePrompts(environments: readonly Environment[]): string {
  const prompts = environments.map(({ prompt }) => {
    if (prompt === undefined) return "shaketable's own"
    const hash = prompt.hash.slice(0, 8)
    return prompt.file === undefined ? `file ${hash}` : `${prompt.file} (${hash})`
  })
  if (new Set(prompts).size === 1) return prompts[0]!
  return environments.map(({ name }, place) => `${name}: ${prompts[place]!}`).join('; ')
}

/** `ALFWorld's`, `split valid-unseen`, `generation old`: where the tasks of an environment come from, if it says so. */
function describeData({ kind, from, split, leftOut, generation, settings }: Environment): string[] {
  return [
    ...(kind === undefined ? [] : [kind === 'benchmark' && from !== undefined ? `${from}'s` : dataWords[kind]]),
    ...(split === undefined ? [] : [`split ${split}`]),
    ...(leftOut === undefined ? [] : [`${grouped(leftOut.count)} of ${grouped(leftOut.of)} left out as damaged`]),
    ...(generation === undefined ? [] : [`generation ${generation}`]),
    ...listSettings(settings),
  ]
}

const dataWords = { generated: 'generated', benchmark: "the benchmark's", files: 'from files' } as const

/** Without the pairing, which is a fact of its own. */
function describeModel({ name, server, settings, agents }: Experiment['models'][number]): string {
  const shown = Object.fromEntries(Object.entries(settings).filter(([setting]) => setting !== 'pairing'))
  const model = withSettings(server === undefined ? name : `${name} at ${server}`, shown)
  return agents === undefined ? model : `${model} with ${listWords(agents)}`
}

/** Conditions with what they change, the draws of one family once: `synonyms (3 draws): take {obj} → grab {obj}`. */
function describeConditions(conditions: Experiment['conditions'], environment?: string): string {
  const alike = groupBy(conditions, ({ label, changes }) => JSON.stringify([labelWithout(label, 'draw'), changes]))
  return [...alike.values()]
    .map((draws) => {
      const [first] = draws as [Experiment['conditions'][number]]
      if (draws.length === 1) return describeCondition(first, environment)
      const numbers = draws.map(
        ({ label }) => [...label.matchAll(/:draw=([^:+]+)/g)].map(([, draw]) => draw).join('') || '1',
      )
      const isPlain = numbers.every((number, place) => number === String(place + 1))
      const which = isPlain ? count(draws.length, 'draw') : `draws ${numbers.join(', ')}`
      return describeCondition({ ...first, label: `${labelWithout(first.label, 'draw')} (${which})` }, environment)
    })
    .join('; ')
}

/** A condition's label, version and what it changes: `agentrefine-2: go to → move to`. */
function describeCondition({ label, changes }: Experiment['conditions'][number], environment?: string): string {
  const here = changes.filter((change) => environment === undefined || change.environment === environment)
  const versions = [...new Set(here.map(({ version }) => version))].join('+')
  const name = versions === '' || versions === '1' ? label : `${label} (version ${versions})`
  const summaries = [...new Set(here.map(({ summary }) => shortChange(summary) ?? summary))].filter(Boolean)
  return summaries.length === 0 ? name : `${name}: ${summaries.join(' + ')}`
}

function withSettings(name: string, settings: Readonly<Record<string, unknown>>): string {
  const words = listSettings(settings)
  return words.length === 0 ? name : `${name} (${words.join(', ')})`
}

/**
 * Settings as `contextTokens 4096`; long values and objects as a hash, but for samplers: they shape the distribution of
 * replies, so a caption names all of them.
 */
function listSettings(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).map(([key, value]) => {
    const samplers = key === 'sampling' && Object.entries(value ?? {}).map(([name, text]) => `${name} ${String(text)}`)
    const words = samplers ? samplers.join(', ') : ''
    if (words !== '' && words.length <= 300) return `${key} { ${words} }`
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

/** Seeds as `1–5`, or as a list; a long list ends in a hash. */
function listSeeds(seeds: readonly number[]): string {
  const consecutive = seeds.length > 2 && seeds.every((seed, index) => seed === seeds[0]! + index)
  if (consecutive) return `${String(seeds[0])}–${String(seeds.at(-1))}`
  return seeds.length <= 12 ? seeds.join(', ') : `${seeds.slice(0, 11).join(', ')}, … #${hashOf(seeds, 8)}`
}
