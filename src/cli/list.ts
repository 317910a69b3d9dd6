import { unknownName } from '../core/errors.js'
import type { EnvironmentOption, EnvironmentOptions } from '../define/environment.js'
import type { Registry } from '../run/registry.js'
import { shippedExperiments } from '../run/shipped-experiments.js'
import { coloursOf } from '../tables/colours.js'
import { type OptionsOf, makeCommand, pluginFlag, readPlugins, usageError } from './_flags.js'
import { escapeLine, print } from './_lines.js'

interface Listed {
  readonly name: string
  readonly summary: string
  /** Laws and experiments have none. */
  readonly source?: string
  /** Of an environment: what `--set` gives. Of a perturbation: the values of each option after its name. */
  readonly options?: EnvironmentOptions | Readonly<Record<string, readonly string[]>>
}

/** A data filter is listed among the perturbations, with the command that uses it. */
const asListed = ({ name, summary, source = '' }: Listed): Listed => ({
  ...{ name: `${name} (data filter)`, source, summary: `${summary}; used with filter-ind` },
})

const lists: Readonly<Record<string, (registry: Registry) => readonly Listed[]>> = {
  environments: (registry) => registry.list('environment'),
  perturbations: (registry) => [...registry.list('lens'), ...registry.list('filter').map(asListed)],
  models: (registry) => registry.list('model'),
  agents: (registry) => registry.list('agent'),
  reports: (registry) => registry.list('report'),
  laws: (registry) => registry.list('law'),
  experiments: shippedExperiments,
}

const flags = [pluginFlag] as const

/** `shaketable list`: all known definitions, each with a summary and its source. */
export const listCommand = () =>
  makeCommand({
    places: [
      ['[what]', 'print only this list', undefined, Object.keys(lists)],
      ['[name]', 'print only this one, with the options of an environment'],
    ],
    flags,
    run: list,
  })

async function list(what = '', name: string | undefined, options: OptionsOf<typeof flags>): Promise<void> {
  const registry = await readPlugins(options)
  if (name === undefined) {
    const sections = Object.entries(lists).filter(([title]) => ['', title].includes(what))
    const briefly = (listed: Listed): string => describe({ ...listed, options: {} })
    return print(sections.map(([title, read]) => `${title}\n${read(registry).map(briefly).join('')}`).join('\n'))
  }
  const all = lists[what]!(registry)
  const entry = all.find((listed) => listed.name === name)
  const known = all.map((listed) => listed.name)
  if (entry === undefined) throw usageError(unknownName(what.slice(0, -1), name, known))
  await print(describe(entry))
}

function describe({ name, summary, source, options = {} }: Listed): string {
  const colours = coloursOf(process.stdout)
  const below = [
    escapeLine(summary),
    source && colours.dim(`from ${escapeLine(source)}`),
    ...Object.entries<EnvironmentOption | readonly string[]>(options).map(([option, values]) =>
      'summary' in values
        ? escapeLine(`--set ${name}.${option}=${values.choices?.join('|') ?? 'VALUE'}: ${values.summary}`)
        : escapeLine(`${name}:${option}=${values.join('|')}`),
    ),
  ]
  return [`  ${colours.bold(escapeLine(name))}`, ...below.flatMap((line) => (line ? [`    ${line}`] : [])), ''].join(
    '\n',
  )
}
