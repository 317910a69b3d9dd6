import { Argument, Command } from 'commander'
import type { Registry } from '../run/registry.js'
import { coloursOf } from '../tables/colours.js'
import { escapeControls, print, printJson } from './_lines.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, readPlugins } from './_flags.js'

interface Listed {
  readonly name: string
  readonly summary: string
  /** Laws have none. */
  readonly source?: string
}

const lists: Readonly<Record<string, (registry: Registry) => readonly Listed[]>> = {
  environments: (registry) => registry.list('environment'),
  perturbations: (registry) => [...registry.list('lens'), ...registry.list('filter').map(asListed)],
  models: (registry) => registry.list('model'),
  agents: (registry) => registry.list('agent'),
  reports: (registry) => registry.list('report'),
  laws: (registry) => registry.list('law'),
}

/** Data filters are listed among the perturbations, with the command that uses them. */
function asListed(filter: Listed): Listed {
  return { ...filter, name: `${filter.name} (data filter)`, summary: `${filter.summary}; used with filter-ind` }
}

interface ListFlags extends PluginFlag {
  readonly json?: true
}

/** `shaketable list`: all known definitions, each with a summary and its source. */
export function listCommand(): Command {
  const command = new Command('list')
    .description(
      'Lists environments, perturbations, models, agents, reports and laws, each with a summary and its source.',
    )
    .addArgument(new Argument('[what]', 'print only this list').choices(Object.keys(lists)))
    .option('--json', 'print one JSON document: names, summaries and sources by list')
  return addPluginFlag(command).action(async (what: string | undefined, flags: ListFlags) => {
    const registry = await readPlugins(flags)
    const wanted = what === undefined ? Object.keys(lists) : [what]
    if (flags.json) {
      const listed = wanted.map((name) => [
        name,
        lists[name]!(registry).map(({ name, summary, source }) => ({ name, summary, source })),
      ])
      await printJson(JSON.stringify(Object.fromEntries(listed), undefined, 2))
      return
    }
    await print(wanted.map((name) => describe(name, lists[name]!(registry))).join('\n'))
  })
}

function describe(title: string, list: readonly Listed[]): string {
  const colors = coloursOf(process.stdout)
  const lines = list.map(
    ({ name, summary, source = '' }) =>
      `  ${colors.bold(name)}${summary === '' ? '' : `\n    ${escapeControls(summary)}`}${source === '' ? '' : `\n    ${colors.dim(`from ${escapeControls(source)}`)}`}`,
  )
  return `${title}\n${lines.join('\n')}\n`
}
