import { unknownName } from '../core/errors.js'
import type { EnvironmentOption, EnvironmentOptions } from '../define/environment.js'
import type { Registry } from '../run/registry.js'
import { shippedExperiments } from '../run/shipped-experiments.js'
import { coloursOf } from '../tables/colours.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, pluginFlag, readPlugins, usageError } from './_flags.js'
import { escapeLine, print, printDocument } from './_lines.js'

interface Listed {
  readonly name: string
  readonly summary: string
  /** Laws and experiments have none. */
  readonly source?: string
  /** Of an environment: what `--set` gives. Of a perturbation: the values of each option after its name. */
  readonly options?: EnvironmentOptions | Readonly<Record<string, readonly string[]>>
}

const lists: Readonly<Record<string, (registry: Registry) => readonly Listed[]>> = {
  environments: (registry) => registry.list('environment'),
  perturbations: (registry) => [...registry.list('lens'), ...registry.list('filter').map(asListed)],
  models: (registry) => registry.list('model'),
  agents: (registry) => registry.list('agent'),
  reports: (registry) => registry.list('report'),
  laws: (registry) => registry.list('law'),
  experiments: shippedExperiments,
}

/** Data filters are listed among the perturbations, with the command that uses them. */
function asListed(filter: Listed): Listed {
  return { ...filter, name: `${filter.name} (data filter)`, summary: `${filter.summary}; used with filter-ind` }
}

const flags = [['--json', 'print one JSON document: names, summaries and sources by list'], pluginFlag] as const

/** `shaketable list`: all known definitions, each with a summary and its source. */
export const listCommand = () =>
  makeCommand(
    'list',
    'Lists environments, perturbations, models, agents, reports, laws and shipped experiments, each with a summary.',
    {
      places: [
        ['[what]', 'print only this list', undefined, Object.keys(lists)],
        ['[name]', 'print only this one, with the options of an environment'],
      ],
      flags,
      run: list,
    },
  )

async function list(
  what: string | undefined,
  name: string | undefined,
  options: OptionsOf<typeof flags>,
): Promise<void> {
  const registry = await readPlugins(options)
  if (what !== undefined && name !== undefined) {
    const all = lists[what]!(registry)
    const one = all.find((listed) => listed.name === name)
    if (one === undefined) {
      const known = all.map((listed) => listed.name)
      throw usageError(unknownName(what.slice(0, -1), name, known))
    }
    const named = { ...briefly(one), ...(one.options && { options: one.options }) }
    return options.json ? printDocument(named) : print(describe(named))
  }
  const found = Object.entries(lists)
    .filter(([title]) => what === undefined || title === what)
    .map(([title, read]) => [title, read(registry).map(briefly)] as const)
  if (options.json) return printDocument(Object.fromEntries(found))
  await print(found.map(([title, all]) => `${title}\n${all.map(describe).join('')}`).join('\n'))
}

function briefly({ name, summary, source }: Listed): Listed {
  return { name, summary, ...(source !== undefined && { source }) }
}

function describe({ name, summary, source = '', options = {} }: Listed): string {
  const colours = coloursOf(process.stdout)
  const lines = [
    `  ${colours.bold(escapeLine(name))}`,
    ...(summary === '' ? [] : [`    ${escapeLine(summary)}`]),
    ...(source === '' ? [] : [`    ${colours.dim(`from ${escapeLine(source)}`)}`]),
    ...Object.entries<EnvironmentOption | readonly string[]>(options).map(([option, one]) => {
      if (!('summary' in one)) return `    ${escapeLine(`${name}:${option}=${one.join('|')}`)}`
      const values = one.choices?.join('|') ?? 'VALUE'
      return `    ${escapeLine(`--set ${name}.${option}=${values}: ${one.summary}`)}`
    }),
  ]
  return `${lines.join('\n')}\n`
}
