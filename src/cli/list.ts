import { Argument, Command } from 'commander'
import colors from 'picocolors'
import type { Registry } from '../run/registry.js'
import { harmless, print } from './_lines.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, readPlugins } from './_flags.js'

interface Listed {
  readonly name: string
  readonly summary: string
  /** Absent of a law. */
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

/** A data filter stands beside the lenses, with a word on what it is used with. */
function asListed(filter: Listed): Listed {
  return { ...filter, name: `${filter.name} (data filter)`, summary: `${filter.summary}; used with filter-ind` }
}

/** `shaketable list`: what there is to choose from, each with a line about it and where it comes from. */
export function listCommand(): Command {
  const command = new Command('list')
    .description('Lists what an experiment can be made of, each with a line about it and where it comes from.')
    .addArgument(new Argument('[what]', 'one list instead of all').choices(Object.keys(lists)))
  return addPluginFlag(command).action(async (what: string | undefined, flags: PluginFlag) => {
    const registry = await readPlugins(flags)
    const wanted = what === undefined ? Object.keys(lists) : [what]
    await print(wanted.map((name) => describe(name, lists[name]!(registry))).join('\n'))
  })
}

function describe(title: string, list: readonly Listed[]): string {
  const lines = list.map(
    ({ name, summary, source = '' }) =>
      `  ${colors.bold(name)}${summary === '' ? '' : `\n    ${harmless(summary)}`}${source === '' ? '' : `\n    ${colors.dim(`from ${harmless(source)}`)}`}`,
  )
  return `${title}\n${lines.join('\n')}\n`
}
