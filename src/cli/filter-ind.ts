import { createRequire } from 'node:module'
import { Command } from 'commander'
import type { DataFilter, FilteredEnvironment } from '../core/training.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import { filterFiles } from '../data/filter/filter-files.js'
import { planFiles } from '../data/filter/plan-files.js'
import type { Registry } from '../run/registry.js'
import type { EnvironmentFlagValues } from './_environment-flags.js'
import { addEnvironmentFlags, pickEnvironmentFlags } from './_environment-flags.js'
import { readEvaluationTexts } from './_evaluation-texts.js'
import { describeFiltering } from './_filter-text.js'
import { harmless } from './_harmless.js'
import { interruptible } from './_interruptible.js'
import { print } from './_lines.js'
import type { PluginFlag } from './_plugin-flag.js'
import { addPluginFlag, readPlugins } from './_plugin-flag.js'
import { readWhole } from './_read-whole.js'

interface Options extends EnvironmentFlagValues, PluginFlag {
  readonly env?: readonly string[]
  readonly out?: string
  readonly dryRun?: boolean
  readonly filter?: readonly string[]
  readonly samples: string
  readonly manifest?: string
  readonly force?: boolean
}

const names = (value: string, before: readonly string[] = []): string[] => [...before, ...value.split(',')]

/**
 * `shaketable filter-ind DATA… --out CLEAN`: takes in-domain rows, or others that a filter names, out of training data.
 */
export function filterIndCommand(): Command {
  const command = new Command('filter-ind')
    .description(
      "Drops the rows of training data that come from evaluation environments (AgentRefine's fifth perturbation), says what each rule caught, and writes a manifest.",
    )
    .argument('<data...>', 'files of training data, JSON arrays or JSON lines, or folders of them')
    .option('--env <names>', 'whose rows are dropped, separated by commas (default: all that the filter knows)', names)
    .option('--out <path>', 'what is kept: a file for one file, a folder for several')
    .option('--dry-run', 'say what would be dropped, and write no data')
    .option('--filter <names>', 'filters, separated by commas (default: those of --plugin, or agentrefine-5)', names)
    .option('--samples <n>', 'so many dropped rows are shown for each rule and environment', '3')
    .option('--manifest <file>', 'where the manifest goes (default: beside what --out names)')
    .option('--force', 'replace files that are there already')
  return addEnvironmentFlags(addPluginFlag(command))
    .addHelpText(
      'after',
      `
The options of environments choose the evaluation tasks whose words rows are compared with, such as --data household=DIR for ALFWorld's own games.

Example:
  shaketable filter-ind agenttraj.json --env alfworld,babyai,scienceworld --out agenttraj-clean.json
`,
    )
    .action(filter)
}

async function filter(data: readonly string[], options: Options): Promise<void> {
  const { out, dryRun = false, samples, force = false } = options
  if (out === undefined && !dryRun) {
    throw new ShaketableError(
      'usage',
      'Expected --out with a path for what is kept, or --dry-run to write nothing. Give one of them.',
    )
  }
  const maxSamples = readWhole('--samples', samples, 0, 999)
  const plan = planFiles(data, dryRun ? undefined : out, options.manifest)
  const registry = await readPlugins(options)
  const { plugin = [] } = options
  if (plugin.length > 0 && registry.own('filter').length + registry.own('environment').length === 0) {
    throw new ShaketableError(
      'usage',
      `--plugin: expected a data filter or an environment, got neither in ${plugin.join(', ')}. Leave it out; perturbations of episodes are used with shaketable run.`,
    )
  }
  const filters = chooseFilters(registry, options.filter)
  const environments = chooseEnvironments(filters, options.env)
  const outcome = await interruptible(async (signal) => {
    const { version } = createRequire(import.meta.url)('shaketable/package.json') as { version: string }
    return filterFiles({
      plan,
      filters,
      environments: environments.map(({ name }) => name),
      evaluation: await readEvaluationTexts(environments, pickEnvironmentFlags(options), registry),
      samples: maxSamples,
      force,
      version,
      signal,
    })
  })
  if (outcome === undefined) return
  await print(describeFiltering(outcome))
  const written = [...(dryRun ? [] : [out!]), ...(plan.manifest === undefined ? [] : [plan.manifest])]
  await print(harmless(written.length === 0 ? '\nNothing was written.' : `\nWrote ${written.join(' and ')}`))
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
    throw new ShaketableError('usage', `--env: the filter ${filters[0]!.name} is not about environments. Leave it out.`)
  }
  const chosen = wanted.map((name) => {
    const found = known.find((one) => one.name === name || one.also.includes(name))
    if (found !== undefined) return found
    throw new ShaketableError(
      'usage',
      unknownName(
        'environment',
        name,
        known.flatMap((one) => [one.name, ...one.also]),
      ),
    )
  })
  return known.filter((one) => chosen.includes(one))
}
