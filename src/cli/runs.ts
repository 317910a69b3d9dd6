import { existsSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { RunSummary } from '../run/find-runs.js'
import { findRuns, isRun, summariseRun } from '../run/find-runs.js'
import { percentOf } from '../run/progress.js'
import { coloursOf } from '../tables/colours.js'
import { fitTo } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand } from './_flags.js'
import { layOutGrid } from './_grid.js'
import { escapeLine, number, oneLine, print, printDocument, say, wrap } from './_lines.js'

const flags = [['--json', 'print everything as one JSON document']] as const

/** `shaketable runs`: lists the runs of a folder, or shows one of them. */
export const runsCommand = () =>
  makeCommand(
    'runs',
    'Lists the runs below a folder, the last changed first: state, episodes, size, success, models, conditions and environments. For a run itself it shows all of these, and what was added to its plan.',
    { places: [['[folder]', 'a folder with runs, or one run', 'runs']], flags, run: runs },
  )

async function runs(folder: string, { json }: OptionsOf<typeof flags>): Promise<void> {
  const isOne = isRun(folder)
  const found = isOne ? [summariseRun(folder)] : listRuns(folder)
  if (json) return printDocument({ folder, runs: found.map(asJson) })
  const width = Math.max(40, Math.min(160, process.stdout.columns || 100))
  if (isOne) return print(describeRun(found[0]!, width))
  if (found.length > 0) return print(describeRuns(folder, found, width))
  say(
    `There is no run in ${escapeLine(folder)}. \`shaketable run --out ${escapeLine(join(folder, 'first'))}\` makes one.`,
  )
}

function listRuns(folder: string): RunSummary[] {
  const wrong = (what: string, advice: string): ShaketableError =>
    new ShaketableError('bad-input', `Expected a folder with runs, but ${what}. ${advice}`)
  if (!existsSync(folder))
    throw wrong(`there is no ${folder}`, 'Give the folder that holds them; `shaketable run` makes runs in runs/.')
  try {
    return findRuns(folder)
      .map(summariseRun)
      .sort((one, other) => other.changed - one.changed)
  } catch (thrown) {
    throw wrong(`${folder} cannot be read: ${messageOf(thrown)}`, 'Check the path.')
  }
}

/** Environments, models and conditions of a plan. */
function namesOf({ content }: RunSummary) {
  const { environments = [], models = [], columns = [] } = content?.plan ?? {}
  return {
    environments: environments.map(({ name }) => name),
    models: models.map(({ name }) => name),
    conditions: columns.map(({ label }) => label),
  }
}

/** Success of all models together, clean → perturbed. */
function successOf({ content }: RunSummary): string {
  if (content === undefined) return ''
  const rateOf = (side: 'clean' | 'perturbed'): string => {
    const all = content.tally.models.map((model) => model[side])
    const sum = (of: 'valid' | 'successes'): number => all.reduce((total, one) => total + one[of], 0)
    return percentOf({ valid: sum('valid'), successes: sum('successes') })
  }
  return `${rateOf('clean')} → ${rateOf('perturbed')}`
}

function episodesOf({ content }: RunSummary): string {
  if (content === undefined) return ''
  const { already, planned } = content.tally
  return already === planned ? number(planned) : `${number(already)} of ${number(planned)}`
}

/** The columns of the list; those that a narrow window leaves out come last. */
const columns: Readonly<Record<string, (run: RunSummary, root: string) => string>> = {
  run: ({ folder }, root) => fitTo(oneLine(relative(root, folder)), 28),
  state: ({ state }) => state,
  episodes: episodesOf,
  success: successOf,
  changed: ({ changed }) => describeAge(changed),
  models: (run) => short(namesOf(run).models),
  conditions: (run) => short(namesOf(run).conditions),
  environments: (run) => short(namesOf(run).environments),
  size: ({ bytes }) => describeBytes(bytes),
}

/** `reader`, or `5: reader, parrot, …` where it is long. */
function short(names: readonly string[]): string {
  return fitTo(names.length > 1 ? `${number(names.length)}: ${names.slice(0, 4).join(', ')}` : (names[0] ?? ''), 18)
}

/** The list as a table, a line a run; a second line says why one has stopped, or what is damaged. */
function describeRuns(root: string, runs: readonly RunSummary[], width: number): string {
  const rows = runs.map((run) => Object.values(columns).map((cell) => ({ text: cell(run, root) })))
  const [head, ...lines] = layOutGrid(
    { heads: Object.keys(columns), rows, kinds: ['run', 'column'] },
    { width, maxRows: Infinity, colours: coloursOf(process.stdout) },
  )
  const listed = runs.flatMap(({ why }, place) => [
    lines[place],
    ...(why === undefined ? [] : [fitTo(`  ${oneLine(why)}`, width)]),
  ])
  const last = `${counted(runs.length, 'run')}, success clean → perturbed. \`shaketable runs RUN\` shows one.`
  return [head, ...listed, ...lines.slice(runs.length), fitTo(last, width)].join('\n')
}

/** All that is known of a run, a fact a line. */
function describeRun(run: RunSummary, width: number): string {
  const { folder, state, why, bytes, changed, content } = run
  const where = oneLine(folder)
  const date = new Date(changed).toISOString().slice(0, 16).replace('T', ' ')
  const facts = [
    ['state', [state, ...(why === undefined ? [] : [why])].join(': ')],
    ...(content ? factsOf(content) : []),
    ['changed', `${date} UTC, ${describeAge(changed)}`],
    ['size', describeBytes(bytes)],
    ...(content?.history ?? []).map(({ date, added, stored }) => [
      'plan',
      `${date}: ${added} (${counted(stored, 'episode')} stored at that time)`,
    ]),
    ['next', `shaketable report ${where}`],
  ] as readonly (readonly [name: string, value: string])[]
  const room = Math.max(...facts.map(([name]) => name.length)) + 2
  const lines = facts.flatMap(([name, value]) =>
    wrap(`${name.padEnd(room)}${escapeLine(value.slice(0, 4000))}`, width, ' '.repeat(room)),
  )
  return [where, ...lines].join('\n')
}

/** What a run plays, and how far it is. */
function factsOf({ plan, tally }: NonNullable<RunSummary['content']>): (readonly [string, string])[] {
  const { already, planned, errors } = tally
  const broken = errors > 0 ? `, ${number(errors)} in error` : ''
  return [
    ['episodes', `${number(already)} of ${number(planned)}${broken}`],
    ...plan.environments.map(
      ({ name, version, tasks }) =>
        ['environment', `${name}, version ${version}: ${counted(tasks.length, 'task')}`] as const,
    ),
    ['conditions', `${number(plan.columns.length)}: ${plan.columns.map(({ label }) => label).join(', ')}`],
    ['agents', plan.agents.map(({ name }) => name).join(', ')],
    ['temperatures', plan.temperatures.join(', ')],
    ['seeds', plan.seeds.join(', ')],
    ...tally.models.map(
      ({ model, clean, perturbed }) =>
        ['model', `${model}: success ${percentOf(clean)} → ${percentOf(perturbed)}, clean → perturbed`] as const,
    ),
  ]
}

function asJson(run: RunSummary) {
  const { folder, state, why, bytes, changed, content } = run
  const { environments, conditions } = namesOf(run)
  return {
    folder,
    name: basename(folder),
    state,
    ...(why !== undefined && { why }),
    bytes,
    changed: new Date(changed).toISOString(),
    ...(content && {
      episodes: { planned: content.tally.planned, stored: content.tally.already, errors: content.tally.errors },
      environments,
      conditions,
      agents: content.plan.agents.map(({ name }) => name),
      temperatures: content.plan.temperatures,
      seeds: content.plan.seeds,
      models: content.tally.models.map(({ model: name, clean, perturbed }) => ({ name, clean, perturbed })),
      history: content.history,
    }),
  }
}

/** `812 B`, `3.1 MB`. */
function describeBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes, 0]
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000
  return `${unit === 0 || value >= 99.5 ? value.toFixed(0) : value.toFixed(1)} ${units[unit]!}`
}

/** `just now`, `5 min ago`, and a day for what is older than a week. */
function describeAge(changed: number): string {
  const minutes = Math.floor((Date.now() - changed) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${String(minutes)} min ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${String(hours)} h ago`
  const days = Math.floor(hours / 24)
  return days < 7 ? `${counted(days, 'day')} ago` : new Date(changed).toISOString().slice(0, 10)
}
