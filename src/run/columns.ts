import { ShaketableError, nearMiss, unknownName } from '../core/errors.js'
import type { DataFilter } from '../training/data-filter.js'
import type { AppliedPerturbation, Perturbation } from '../core/perturbation.js'
import type { Part } from '../core/text.js'
import { modes, usedIn } from '../core/perturbation.js'
import { parts } from '../core/text.js'
import { applyAliases } from '../play/alias.js'
import type { Registry } from './registry.js'
import { perturbationName, shipped } from './registry.js'

/** A column of a grid: its label, and the perturbations between the environment and the agent. */
export interface Column {
  /**
   * Equal settings have equal labels: `none`, `agentrefine-4:scope=instruction/examples:intensity=0.5+agentrefine-1`.
   */
  readonly label: string
  /** The first is nearest the environment; empty for the clean twin. */
  readonly applied: readonly AppliedPerturbation[]
}

const syntax = 'a perturbation such as agentrefine-1, several as in agentrefine-1+agentrefine-4, or none'

/**
 * Reads a column: `none`, `a`, or `a+b` (the first is nearest the environment), each with options as in
 * `agentrefine-4:scope=instruction/examples:intensity=0.5:refuse=false`. Options with their default values are left out
 * of the label.
 * @param filters data filters, which are not perturbations of episodes; naming one is explained
 * @throws ShaketableError `usage` with the nearest known name, or the expected value of an option
 */
export function parseColumn(
  text: string,
  known: readonly Perturbation[],
  filters: readonly DataFilter[] = shipped.list('filter'),
): Column {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text
  if (text.trim() === '') throw new ShaketableError('usage', `Expected ${syntax}, got '${short}'.`)
  if (text.trim() === 'none') return { label: 'none', applied: [] }
  const applied = text.split('+').map((one) => parseApplied(one.trim(), known, filters, short))
  const names = applied.map(({ perturbation }) => perturbation.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new ShaketableError(
      'usage',
      `'${twice}' stands twice in '${short}'. Name each perturbation of a column once.`,
    )
  }
  checkAliases(applied)
  return { label: labelOf(applied), applied }
}

/**
 * Both wordings of a perturbation in mode `alias` are shown as they are, so none above it may reword or reorder them.
 * @throws ShaketableError `usage` with the order that is possible
 */
function checkAliases(applied: readonly AppliedPerturbation[]): void {
  for (const [index, one] of applied.entries()) {
    const made = one.perturbation.environment
    const above = applied
      .slice(index + 1)
      .find(({ perturbation: { environment = made } }) => made === undefined || environment === made)
    if (one.mode !== 'alias' || above === undefined) continue
    const [name, other] = [one, above].map(({ perturbation }) => perturbation.name)
    throw new ShaketableError(
      'usage',
      above.mode === 'alias'
        ? `'${name!}' and '${other!}' are both in mode alias, and the choice between two wordings can be measured for one of them only. Leave mode=alias out of one, or write two columns.`
        : `'${other!}' stands behind '${name!}', which is in mode alias and must come last, so that both of its wordings are shown side by side. Write '${labelOf([...applied.filter((each) => each !== one), one])}'.`,
    )
  }
}

/**
 * Reads the single column of a command.
 * @throws ShaketableError `usage` for several columns with commas between them
 */
export function parseOneColumn(text: string, registry: Registry): Column {
  if (!text.includes(',')) return parseColumn(text, registry.list('lens'), registry.list('filter'))
  const given = text.slice(0, 200)
  throw new ShaketableError(
    'usage',
    `--perturb: expected one condition, got '${given}', where a comma stands between several. Write ${given.replace(/\s*,\s*/g, '+')} to lay them over each other.`,
  )
}

/**
 * Assigns the perturbations of a column to the environments of an experiment. In an environment that a perturbation is
 * not made for, its counterpart there takes its place, with the same options, unless the column names it already.
 * @param sameActionsAs for an environment's name the environment whose action forms it uses
 * @param optional whether the column is left out of an environment in which none of its perturbations applies
 * @throws ShaketableError `usage` if no perturbation of a column applies in an environment and it does not name others
 */
export function placeColumn(
  { label, applied }: Column,
  environments: readonly string[],
  known: readonly Perturbation[],
  sameActionsAs: ReadonlyMap<string, string> = new Map(),
  optional = false,
): Column {
  const named = new Set(applied.map(({ perturbation }) => perturbation.name))
  const placed: AppliedPerturbation[] = []
  for (const one of applied) {
    const stray = one.environments?.find((name) => !environments.includes(name))
    if (stray !== undefined && !optional) {
      const why = unknownName('environment of this experiment', stray, environments)
      throw new ShaketableError('usage', `'${label}': ${why}`)
    }
    const used = new Map<Perturbation, string[]>()
    for (const environment of one.environments ?? environments) {
      if (!environments.includes(environment)) continue
      const here = perturbationFor(one.perturbation, [environment, sameActionsAs.get(environment)], known)
      const isNamed = here !== undefined && here !== one.perturbation && named.has(here.name)
      if (here === undefined || isNamed || usedIn(placed, environment).some((other) => other.perturbation === here))
        continue
      used.set(here, [...(used.get(here) ?? []), environment])
    }
    for (const [perturbation, names] of used) {
      if (one.intensity !== undefined && !perturbation.graded) {
        throw new ShaketableError(
          'usage',
          `'${label}': in ${listed(names)} '${perturbation.name}' takes the place of '${one.perturbation.name}', and it is all or nothing. Leave 'intensity' out, or play ${listed(names)} apart.`,
        )
      }
      placed.push({ ...one, perturbation, ...(names.length < environments.length && { environments: names }) })
    }
  }
  const bare = environments.filter((environment) => usedIn(placed, environment).length === 0)
  const isRestricted = optional || applied.some((one) => one.environments !== undefined)
  if (bare.length > 0 && applied.length > 0 && !isRestricted) {
    const made = [...new Set(applied.map(({ perturbation }) => perturbation.environment!))]
    throw new ShaketableError(
      'usage',
      `'${label}' is made for ${listed(made)} and would change nothing in ${listed(bare)}. Play it there alone (${label}:environment=${made.join('/')}), or add one that is made for ${listed(bare)}, as in '${label}+NAME'.`,
    )
  }
  return { label, applied: placed }
}

/** A perturbation if it fits an environment with one of these names, else its counterpart there. */
function perturbationFor(
  one: Perturbation,
  names: readonly (string | undefined)[],
  known: readonly Perturbation[],
): Perturbation | undefined {
  if (one.environment === undefined || names.includes(one.environment)) return one
  return known.find(
    (other) => other.environment !== undefined && names.includes(other.environment) && partOf(other) === partOf(one),
  )
}

function listed(names: readonly string[]): string {
  return names.join(' and ')
}

function partOf({ name, counterpartOf }: Perturbation): string {
  return counterpartOf ?? name
}

/** The label of a column. */
export function labelOf(applied: readonly AppliedPerturbation[]): string {
  if (applied.length === 0) return 'none'
  return applied
    .map(({ perturbation, scope, mode, intensity, refuse, draw, options = {}, environments }) =>
      [
        perturbation.name,
        ...Object.keys(perturbation.options ?? {}).flatMap((name) =>
          options[name] === undefined ? [] : [`${name}=${options[name]}`],
        ),
        ...(mode === undefined ? [] : [`mode=${mode}`]),
        ...(scope === undefined ? [] : [`scope=${scope.join('/')}`]),
        ...(intensity === undefined ? [] : [`intensity=${String(intensity)}`]),
        ...(draw === undefined ? [] : [`draw=${String(draw)}`]),
        ...(refuse === undefined ? [] : [`refuse=${String(refuse)}`]),
        ...(environments === undefined ? [] : [`environment=${environments.join('/')}`]),
      ].join(':'),
    )
    .join('+')
}

function parseApplied(
  text: string,
  known: readonly Perturbation[],
  filters: readonly DataFilter[],
  column: string,
): AppliedPerturbation {
  const [written = '', ...options] = text.split(':').map((part) => part.trim())
  const name = perturbationName(written)
  const perturbation = known.find((one) => one.name === name)
  if (perturbation === undefined) {
    if (name === '') throw new ShaketableError('usage', `Expected ${syntax}, got '${column}'.`)
    if (name === 'none') {
      throw new ShaketableError('usage', `'none' stands alone and takes no options, got '${column}'. Leave it out.`)
    }
    if (/^p5$/i.test(name) || filters.some((filter) => filter.name === name)) {
      throw new ShaketableError(
        'usage',
        `'${name}' is a data filter: it changes the training data, not the environment. Use it with shaketable data filter-ind --filter, train a model on the filtered data, and name that model as withoutInDomain of the other.`,
      )
    }
    throw new ShaketableError('usage', unknownName('perturbation', name, ['none', ...known.map((one) => one.name)]))
  }
  const given = new Map<string, string>()
  const takes = optionsOf(perturbation)
  for (const option of options) {
    const [key = '', ...values] = option.split('=')
    const isKnown = takes.has(key) || key === 'draw'
    if (!isKnown || values.length !== 1) {
      const near = takes.has(key) ? undefined : nearMiss(key, [...takes.keys()])
      throw new ShaketableError(
        'usage',
        `'${name}' has no option '${option.slice(0, 100)}'.${near === undefined ? '' : ` Did you mean '${near}'?`} It takes ${[...takes.values()].join(', ')}.`,
      )
    }
    if (given.has(key))
      throw new ShaketableError('usage', `The option '${key}' of '${name}' is given twice in '${column}'.`)
    given.set(key, values[0]!)
  }
  return {
    perturbation,
    ...parseScope(name, given.get('scope')),
    ...parseMode(name, given.get('mode'), given.has('refuse')),
    ...parseIntensity(perturbation, given.get('intensity')),
    ...parseDraw(perturbation, given.get('draw')),
    ...parseRefuse(name, given.get('refuse')),
    ...parseEnvironments(name, given.get('environment')),
    ...parseOwn(perturbation, given),
  }
}

/**
 * The options that a perturbation takes, each with an example. `intensity` is always known, and refused with a reason.
 */
function optionsOf({ draws = 1, options = {} }: Perturbation): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(options).map(([key, values]) => [key, `'${key}=${values.join('|')}'`] as const),
    ['scope', "'scope=instruction/examples'"],
    ['intensity', "'intensity=0.5'"],
    ...(draws > 1 ? [['draw', "'draw=2'"] as const] : []),
    ['mode', "'mode=alias'"],
    ['refuse', "'refuse=false'"],
    ['environment', "'environment=household/pddl'"],
  ])
}

/** @throws ShaketableError `usage` with how many draws there are */
export function checkDraw({ name, draws = 1 }: Perturbation, draw: number, given: string): void {
  if (draw >= 1 && draw <= draws) return
  const range =
    draws === Infinity
      ? 'a whole number from 1 to 999999'
      : draws === 1
        ? 'only 1, since it has one wording'
        : `one of its ${String(draws)} draws, 1 to ${String(draws)}`
  throw new ShaketableError('usage', `The option 'draw' of '${name}' takes ${range}, got '${given.slice(0, 40)}'.`)
}

function parseDraw(perturbation: Perturbation, text: string | undefined): { readonly draw?: number } {
  if (text === undefined) return {}
  const draw = /^\d{1,6}$/.test(text) ? Number(text) : NaN
  checkDraw(perturbation, draw, text)
  return draw === 1 ? {} : { draw }
}

function parseEnvironments(name: string, text: string | undefined): { readonly environments?: readonly string[] } {
  if (text === undefined) return {}
  const environments = [...new Set(text.split('/').map((one) => one.trim()))]
  if (!environments.includes('')) return { environments }
  throw new ShaketableError(
    'usage',
    `The option 'environment' of '${name}' takes names of environments with / between them, got '${text.slice(0, 40)}'.`,
  )
}

/** The options that a perturbation declares itself, but for those at their default. */
function parseOwn(
  { name, options = {} }: Perturbation,
  given: ReadonlyMap<string, string>,
): { readonly options?: Readonly<Record<string, string>> } {
  const set = Object.entries(options).flatMap(([key, values]) => {
    const value = given.get(key)
    if (value === undefined || value === values[0]) return []
    if (values.includes(value)) return [[key, value] as const]
    throw new ShaketableError(
      'usage',
      `The option '${key}' of '${name}' takes ${values.join(' or ')}, got '${value.slice(0, 40)}'.`,
    )
  })
  return set.length === 0 ? {} : { options: Object.fromEntries(set) }
}

function parseScope(name: string, text: string | undefined): { readonly scope?: readonly Part[] } {
  if (text === undefined) return {}
  const wanted = text.split('/')
  const unknown = wanted.find((one) => !parts.some((part) => part === one))
  if (unknown !== undefined) {
    const what = `The option 'scope' of '${name}' takes parts of a conversation with / between them.`
    throw new ShaketableError('usage', `${what} ${unknownName('part', unknown, parts)}`)
  }
  const scope = parts.filter((part) => wanted.includes(part))
  return scope.length === parts.length ? {} : { scope }
}

function parseIntensity({ name, graded }: Perturbation, text: string | undefined): { readonly intensity?: number } {
  if (text === undefined) return {}
  if (!graded) {
    throw new ShaketableError(
      'usage',
      `'${name}' is all or nothing: it takes no 'intensity', got '${text.slice(0, 40)}'.`,
    )
  }
  const intensity = /^\d{0,2}(\.\d{1,12})?$/.test(text) && text !== '' ? Number(text) : NaN
  if (!(intensity <= 1)) {
    const what = `The option 'intensity' of '${name}' takes a number from 0 to 1`
    throw new ShaketableError('usage', `${what}, got '${text.slice(0, 40)}'.`)
  }
  return intensity === 1 ? {} : { intensity }
}

function parseMode(
  name: string,
  text: string | undefined,
  refuses: boolean,
): Pick<AppliedPerturbation, 'mode' | 'apply'> {
  const mode = modes.find((one) => one === text)
  if (text === undefined || mode === 'replace') return {}
  if (mode === undefined) {
    throw new ShaketableError(
      'usage',
      `The option 'mode' of '${name}' takes ${modes.join(' or ')}, got '${text.slice(0, 40)}'.`,
    )
  }
  if (!refuses) return { mode, apply: applyAliases }
  throw new ShaketableError(
    'usage',
    `'${name}' accepts both wordings in mode alias. Leave 'refuse' out, or leave 'mode' out to show the new wording alone.`,
  )
}

function parseRefuse(name: string, text: string | undefined): { readonly refuse?: boolean } {
  if (text === undefined || text === 'true') return {}
  if (text === 'false') return { refuse: false }
  const what = `The option 'refuse' of '${name}' takes true or false`
  throw new ShaketableError('usage', `${what} (whether the old wording is refused), got '${text.slice(0, 40)}'.`)
}
