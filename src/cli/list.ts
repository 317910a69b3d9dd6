import { Argument, Command } from 'commander'
import type { EnvironmentOption, EnvironmentOptions } from '../define/environment.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Registry } from '../run/registry.js'
import { shippedExperiments } from '../run/shipped-experiments.js'
import { coloursOf } from '../tables/colours.js'
import { escapeControls, print, printJson } from './_lines.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, readPlugins } from './_flags.js'

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

interface ListFlags extends PluginFlag {
  readonly json?: true
}

/** `shaketable list`: all known definitions, each with a summary and its source. */
export function listCommand(): Command {
  const command = new Command('list')
    .description(
      'Lists environments, perturbations, models, agents, reports, laws and shipped experiments, each with a summary.',
    )
    .addArgument(new Argument('[what]', 'print only this list').choices(Object.keys(lists)))
    .argument('[name]', 'print only this one, with the options of an environment')
    .option('--json', 'print one JSON document: names, summaries and sources by list')
  return addPluginFlag(command).action(async (what: string | undefined, name: string | undefined, flags: ListFlags) => {
    const registry = await readPlugins(flags)
    if (what !== undefined && name !== undefined) {
      const named = findNamed(lists[what]!(registry), what, name)
      await (flags.json ? printJson(JSON.stringify(named, undefined, 2)) : print(describeOne(named)))
      return
    }
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

/** One of a list, without its functions. @throws ShaketableError `usage` with the near miss */
function findNamed(list: readonly Listed[], what: string, name: string): Listed {
  const found = list.find((one) => one.name === name)
  if (found === undefined) {
    const names = list.map((one) => one.name)
    throw new ShaketableError('usage', unknownName(what.slice(0, -1), name, names))
  }
  const { summary, source, options } = found
  return { name, summary, ...(source !== undefined && { source }), ...(options && { options }) }
}

function describe(title: string, list: readonly Listed[]): string {
  return `${title}\n${list.map((one) => describeOne({ ...one, options: {} })).join('')}`
}

function describeOne({ name, summary, source = '', options = {} }: Listed): string {
  const colors = coloursOf(process.stdout)
  const lines = [
    `  ${colors.bold(name)}`,
    ...(summary === '' ? [] : [`    ${escapeControls(summary)}`]),
    ...(source === '' ? [] : [`    ${colors.dim(`from ${escapeControls(source)}`)}`]),
    ...Object.entries<EnvironmentOption | readonly string[]>(options).map(
      ([option, one]) => `    ${escapeControls(describeOption(name, option, one))}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

function describeOption(name: string, option: string, one: EnvironmentOption | readonly string[]): string {
  if (!('summary' in one)) return `${name}:${option}=${one.join('|')}`
  const { choices, summary } = one
  return `--set ${name}.${option}=${choices?.join('|') ?? 'VALUE'}: ${summary}`
}
