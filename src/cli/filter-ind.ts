import { closeWorlds } from '../core/close-worlds.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import { createRandom } from '../core/random.js'
import type { Registry } from '../run/registry.js'
import type { DataFilter, EvaluationText, FilteredEnvironment } from '../training/data-filter.js'
import { type FilterOutcome, filterFiles } from '../training/filter-files.js'
import type { OptionsOf } from './_flags.js'
import { environmentFlags, makeCommand, names, openNamed, readPlugins, usageError, whole } from './_flags.js'
import { escapeLine, layOut, number, print, problemPrinter, textOf, version } from './_lines.js'
import { stopSignal } from './_signals.js'

const flags = [
  ['--env <names>', 'environments whose rows are dropped, separated by commas (default: all of the filter)', names],
  ['--out <path>', 'where kept rows go: a file for one input file, a folder for several'],
  ['--dry-run', 'report what would be dropped, and write no data'],
  ['--filter <names>', 'filters, separated by commas (default: those of --plugin, or agentrefine-5)', names],
  whole('--samples <n>', 'dropped rows to show for each rule and environment', 0, 999, 3),
  ['--force', 'replace existing files'],
  ...environmentFlags,
] as const

/**
 * `shaketable data filter-ind DATA… --out CLEAN`: drops in-domain rows, or those of another filter, from training data.
 */
export const filterIndCommand = () =>
  makeCommand({
    places: [['<data...>', 'files of training data, JSON arrays or JSON lines']],
    flags,
    rules: [['--out', 'or', '--dry-run']],
    below: `The options of environments choose the evaluation tasks that rows are compared with, such as
--set household.data=DIR for ALFWorld's own games.`,
    run: filter,
  })

async function filter(data: readonly string[], options: OptionsOf<typeof flags>): Promise<void> {
  const { out, dryRun = false, samples, plugin = [], force = false } = options
  const registry = await readPlugins(options)
  const own = registry.own('filter').map(({ name }) => name)
  if (plugin.length > 0 && own.length + registry.own('environment').length === 0) {
    throw usageError(
      `--plugin: expected a data filter or an environment, got neither in ${plugin.join(', ')}. Leave it out; perturbations of episodes are used with shaketable run.`,
    )
  }
  const chosen = options.filter ?? (own.length > 0 ? own : ['agentrefine-5'])
  const filters = [...new Set(chosen)].map((name) => registry.find('filter', name))
  const environments = chooseEnvironments(filters, options.env)
  const signal = stopSignal()
  const outcome = await filterFiles({
    ...{ data, out: dryRun ? undefined : out, filters, samples, force, version, signal },
    environments: environments.map(({ name }) => name),
    evaluation: await readEvaluation(environments, options.set ?? [], registry),
  })
  const problems = problemPrinter()
  for (const problem of outcome.manifest.problems.first) problems.print(problem)
  problems.end()
  await print(describeFiltering(outcome))
  await print(`\n${escapeLine(dryRun ? 'Nothing was written.' : `Wrote ${out!} and ${out!}.manifest.json`)}`)
}

function chooseEnvironments(filters: readonly DataFilter[], wanted: readonly string[] | undefined) {
  const all = filters.flatMap(({ environments }) => environments)
  const known = all.filter(({ name }, index) => all.findIndex((environment) => environment.name === name) === index)
  const namesOf = ({ name, also }: FilteredEnvironment): readonly string[] => [name, ...also]
  const unknown = wanted?.find((name) => !known.flatMap(namesOf).includes(name))
  if (unknown !== undefined) throw usageError(unknownName('environment', unknown, known.flatMap(namesOf)))
  return known.filter(
    (environment) => wanted === undefined || namesOf(environment).some((name) => wanted.includes(name)),
  )
}

/**
 * The goals and first observations of the evaluation tasks of those environments that can be played here. Filters know
 * the others by name only, such as one whose engine the user has to bring.
 * @throws ShaketableError `usage` or `bad-input` for options that cannot be used
 */
export async function readEvaluation(
  environments: readonly FilteredEnvironment[],
  set: readonly string[],
  registry: Registry,
): Promise<readonly EvaluationText[]> {
  const kinds = registry.list('environment').map((kind) => kind.name)
  const played = environments.flatMap(({ name, also }) =>
    kinds.filter((kind) => [name, ...also].includes(kind)).map((kind) => ({ name, kind })),
  )
  const texts: EvaluationText[] = []
  for (const { name, kind } of played) {
    const isBare = !set.some((text) => text.startsWith(`${kind}.`))
    const all = played.map((played) => played.kind)
    const environment = await openNamed(registry, kind, { set }, all).catch((thrown: unknown) => {
      // It needs options and got none.
      if (!isBare || !(thrown instanceof ShaketableError) || thrown.code !== 'usage') throw thrown
    })
    for (const task of environment?.tasks ?? []) {
      const world = await environment!.begin(task, createRandom('0').fork('environment'))
      await closeWorlds([world])
      texts.push(...[task.goal, world.originalOpening].map((text) => ({ environment: name, text })))
    }
  }
  return texts
}

/** The result of filtering as text: rows, counts of each rule, and samples. */
function describeFiltering({ manifest, samples }: FilterOutcome): string {
  const { filters, files, rows, dropped, kept, unreadable, counts, environments, evaluation } = manifest
  const from = files.length === 1 ? files[0]!.file : `${number(files.length)} files`
  const lost = unreadable === 0 ? '' : `; ${number(unreadable)} records could not be read and are left out`
  const rules = counts.flatMap(({ environment = '(any)', rows, rules }) => [
    [environment, 'any rule', number(rows), ''],
    ...rules.map(({ filter, rule, rows, alone }) => [
      ...['', filters.length > 1 ? `${filter}/${rule}` : rule, number(rows), number(alone)],
    ]),
  ])
  // Environments that cannot be played here have no evaluation tasks.
  const compared = environments.map((name) => {
    const texts = evaluation.find(({ environment }) => environment === name)?.texts ?? 0
    return `${texts === 0 ? 'none' : number(texts)} of ${name}`
  })
  const shown = samples.map(({ environment, rule, file, record, id, evidence }) => {
    const row = [`${file}:${String(record)}`, ...(id === undefined ? [] : [id])].join(', ')
    return `\n  ${escapeLine(`${environment === undefined ? '' : `${environment} `}${rule}: ${row}: ${evidence}`)}`
  })
  const names = filters.map(({ name }) => name).join(', ')
  return [
    `${names}: ${number(rows)} rows of ${from}, ${number(dropped)} dropped, ${number(kept)} kept${lost}`,
    rules.length > 0 && layOut([['environment', 'rule', 'rows', 'it alone'], ...rules]),
    compared.length > 0 && `Texts of evaluation tasks that rows were compared with: ${compared.join(', ')}`,
    shown.length > 0 && `Samples${shown.join('')}`,
  ]
    .flatMap((part) => (part === false ? [] : [textOf(part.split('\n'))]))
    .join('\n\n')
}
