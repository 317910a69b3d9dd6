import { Command } from 'commander'
import type { DataFilter, FilteredEnvironment } from '../training/data-filter.js'
import { unknownName } from '../core/errors.js'
import type { FilterOutcome } from '../training/filter-files.js'
import { filterFiles } from '../training/filter-files.js'
import { planFiles } from '../training/plan-files.js'
import type { DropSample } from '../training/manifest.js'
import type { Registry } from '../run/registry.js'
import { readSettings } from '../run/experiment-flags.js'
import type { SetFlag, PluginFlag } from './_flags.js'
import { addSetFlag, addPluginFlag, names, readPlugins, whole, usageError } from './_flags.js'
import { readEvaluation, textsOf } from './_evaluation.js'
import { escapeControls, escapeLine, layOut, number, print, version } from './_lines.js'
import { interruptible } from './_signals.js'

interface Options extends SetFlag, PluginFlag {
  readonly env?: readonly string[]
  readonly out?: string
  readonly dryRun?: boolean
  readonly filter?: readonly string[]
  readonly samples: number
  readonly manifest?: string
  readonly force?: boolean
}

/**
 * `shaketable data filter-ind DATA… --out CLEAN`: drops in-domain rows, or those of another filter, from training data.
 */
export function filterIndCommand(): Command {
  const command = new Command('filter-ind')
    .description(
      "Drops the rows of training data that come from evaluation environments (AgentRefine's fifth perturbation), reports what each rule found, and writes a manifest.",
    )
    .argument('<data...>', 'files of training data, JSON arrays or JSON lines, or folders of them')
    .option(
      '--env <names>',
      'environments whose rows are dropped, separated by commas (default: all of the filter)',
      names,
    )
    .option('--out <path>', 'where kept rows go: a file for one input file, a folder for several')
    .option('--dry-run', 'report what would be dropped, and write no data')
    .option('--filter <names>', 'filters, separated by commas (default: those of --plugin, or agentrefine-5)', names)
    .option(...whole('--samples <n>', 'dropped rows to show for each rule and environment', 0, 999, 3))
    .option('--manifest <file>', 'where the manifest goes (default: beside --out)')
    .option('--force', 'replace existing files')
  return addSetFlag(addPluginFlag(command))
    .addHelpText(
      'after',
      `
The options of environments choose the evaluation tasks that rows are compared with, such as --data household=DIR
for ALFWorld's own games.`,
    )
    .action(filter)
}

async function filter(data: readonly string[], options: Options): Promise<void> {
  const { out, dryRun = false, samples, force = false } = options
  if (out === undefined && !dryRun) {
    throw usageError('Expected --out with a path for the kept rows, or --dry-run to write nothing. Give one of them.')
  }
  const plan = planFiles(data, dryRun ? undefined : out, options.manifest)
  const registry = await readPlugins(options)
  const { plugin = [] } = options
  if (plugin.length > 0 && registry.own('filter').length + registry.own('environment').length === 0) {
    throw usageError(
      `--plugin: expected a data filter or an environment, got neither in ${plugin.join(', ')}. Leave it out; perturbations of episodes are used with shaketable run.`,
    )
  }
  const filters = chooseFilters(registry, options.filter)
  const environments = chooseEnvironments(filters, options.env)
  const outcome = await interruptible(async (signal) => {
    return filterFiles({
      plan,
      filters,
      environments: environments.map(({ name }) => name),
      evaluation: textsOf(await readEvaluation(environments, readSettings(options.set), registry)),
      samples,
      force,
      version,
      signal,
    })
  })
  if (outcome === undefined) return
  await print(describeFiltering(outcome))
  const written = [...(dryRun ? [] : [out!]), ...(plan.manifest === undefined ? [] : [plan.manifest])]
  await print(escapeControls(written.length === 0 ? '\nNothing was written.' : `\nWrote ${written.join(' and ')}`))
}

function chooseFilters(registry: Registry, wanted: readonly string[] | undefined): readonly DataFilter[] {
  const own = registry.own('filter')
  const chosen = wanted ?? (own.length > 0 ? own.map(({ name }) => name) : ['agentrefine-5'])
  return [...new Set(chosen)].map((name) => registry.find('filter', name))
}

function chooseEnvironments(
  filters: readonly DataFilter[],
  wanted: readonly string[] | undefined,
): readonly FilteredEnvironment[] {
  const all = filters.flatMap(({ environments }) => environments)
  const known = all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index)
  if (wanted === undefined) return known
  if (known.length === 0) {
    throw usageError(`--env: the filter ${filters[0]!.name} has no environments. Leave it out.`)
  }
  const chosen = wanted.map((name) => {
    const found = known.find((one) => one.name === name || one.also.includes(name))
    if (found !== undefined) return found
    const names = known.flatMap((one) => [one.name, ...one.also])
    throw usageError(unknownName('environment', name, names))
  })
  return known.filter((one) => chosen.includes(one))
}

const shownProblems = 10

/** The result of filtering as text: rows, counts of each rule, samples, and unreadable records. */
function describeFiltering({ manifest, samples }: FilterOutcome): string {
  const { filters, files, rows, dropped, kept, unreadable, counts, environments, evaluation, problems } = manifest
  const from = files.length === 1 ? files[0]!.file : `${number(files.length)} files`
  const lost = unreadable === 0 ? '' : `; ${number(unreadable)} records could not be read and are left out`
  const rules = counts.flatMap(({ environment = '(any)', rows, rules }) => [
    [environment, 'any rule', number(rows), ''],
    ...rules.map(({ filter, rule, rows, alone }) => {
      return ['', filters.length > 1 ? `${filter}/${rule}` : rule, number(rows), number(alone)]
    }),
  ])
  // Environments that cannot be played here have no evaluation tasks.
  const compared = environments.map((name) => {
    const texts = evaluation.find(({ environment }) => environment === name)?.texts ?? 0
    return `${texts === 0 ? 'none' : number(texts)} of ${name}`
  })
  const shown = problems.first.slice(0, shownProblems)
  const parts = [
    [
      `${filters.map(({ name }) => name).join(', ')}: ${number(rows)} rows of ${from}, ${number(dropped)} dropped, ${number(kept)} kept${lost}`,
    ],
    counts.length === 0 ? [] : layOut([['environment', 'rule', 'rows', 'it alone'], ...rules]).split('\n'),
    compared.length === 0 ? [] : [`Texts of evaluation tasks that rows were compared with: ${compared.join(', ')}`],
    samples.length === 0 ? [] : ['Samples', ...samples.map(describeSample)],
    problems.count === 0
      ? []
      : [
          'Problems',
          ...shown.map(({ file, line, record, message }) => {
            return `  ${file}:${String(line)}, record ${String(record)}, left out: ${message}`
          }),
          ...(problems.count > shown.length ? [`  … and ${number(problems.count - shown.length)} more`] : []),
        ],
  ]
  return parts
    .filter(({ length }) => length > 0)
    .map((lines) => lines.map(escapeLine).join('\n'))
    .join('\n\n')
}

function describeSample({ environment, rule, file, record, line, id, evidence }: DropSample): string {
  const row = `${file}:${String(line)}, record ${String(record)}${id === undefined ? '' : `, ${id}`}`
  return `  ${environment === undefined ? '' : `${environment} `}${rule}: ${row}: ${evidence}`
}
