import { nearMiss, unknownName, usageError } from '../core/errors.js'
import type { DataFilter } from '../training/data-filter.js'
import type { AppliedPerturbation, Perturbation } from '../core/perturbation.js'
import { modes, usedIn } from '../core/perturbation.js'
import { parts } from '../core/text.js'
import { applyAliases } from '../play/alias.js'
import type { Registry } from './registry.js'
import { perturbationName, shipped } from './registry.js'

/** A condition of a grid: its label, and the perturbations between the environment and the agent. */
export interface Condition {
  /**
   * Equal settings have equal labels: `none`, `agentrefine-4:scope=instruction/examples:intensity=0.5+agentrefine-1`.
   */
  readonly label: string
  /** The first is nearest the environment; empty for the clean twin. */
  readonly applied: readonly AppliedPerturbation[]
}

const syntax = 'a perturbation such as agentrefine-1, several as in agentrefine-1+agentrefine-4, or none'

/**
 * Reads a condition: `none`, `a`, or `a+b` (the first is nearest the environment), each with options as in
 * `agentrefine-4:scope=instruction/examples:intensity=0.5:refuse=false`. Options with their default values are left out
 * of the label.
 * @param filters data filters, which are not perturbations of episodes; naming one is explained
 * @throws ShaketableError `usage` with the nearest known name, or the expected value of an option
 */
export function parseCondition(
  text: string,
  known: readonly Perturbation[],
  filters: readonly DataFilter[] = shipped.list('filter'),
): Condition {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text
  if (text.trim() === '') throw usageError(`Expected ${syntax}, got '${short}'.`)
  if (text.trim() === 'none') return { label: 'none', applied: [] }
  const applied = text.split('+').map((one) => parseApplied(one.trim(), known, filters, short))
  const names = applied.map(({ perturbation }) => perturbation.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw usageError(`'${twice}' stands twice in '${short}'. Name each perturbation of a condition once.`)
  }
  checkAliases(applied)
  return { label: labelOf(applied), applied }
}

/**
 * Both wordings of a perturbation in mode `alias` are shown as they are, so none above it may reword or reorder them.
 * @throws ShaketableError `usage` for one above it in an environment
 */
function checkAliases(applied: readonly AppliedPerturbation[]): void {
  for (const [place, { mode, perturbation }] of applied.entries()) {
    const { name, environment: made } = perturbation
    const isCovered = applied
      .slice(place + 1)
      .some(({ perturbation: { environment = made } }) => [undefined, environment].includes(made))
    if (mode !== 'alias' || !isCovered) continue
    throw usageError(
      `'${name}' is in mode alias and must come last, so that both of its wordings are shown side by side. Write it last, or two conditions where several are in mode alias.`,
    )
  }
}

/**
 * Reads the single condition of a command.
 * @throws ShaketableError `usage` for several conditions with commas between them
 */
export function parseOneCondition(text: string, registry: Registry): Condition {
  if (!text.includes(',')) return parseCondition(text, registry.list('lens'), registry.list('filter'))
  const given = text.slice(0, 200)
  throw usageError(
    `--perturb: expected one condition, got '${given}', where a comma stands between several. Write ${given.replace(/\s*,\s*/g, '+')} to lay them over each other.`,
  )
}

/**
 * Assigns the perturbations of a condition to the environments of an experiment. In an environment that a perturbation
 * is not made for, its counterpart there takes its place, with the same options, unless the condition names it already.
 * @param optional whether the condition is left out of an environment in which none of its perturbations applies
 * @throws ShaketableError `usage` if no perturbation of a condition applies in an environment and it does not name
 * others
 */
export function placeCondition(
  { label, applied }: Condition,
  environments: readonly string[],
  known: readonly Perturbation[],
  optional = false,
): Condition {
  const named = new Set(applied.map(({ perturbation }) => perturbation.name))
  const placed: AppliedPerturbation[] = []
  for (const appliedPerturbation of applied) {
    const stray = appliedPerturbation.environments?.find((name) => !environments.includes(name))
    if (stray !== undefined && !optional) {
      const why = unknownName('environment of this experiment', stray, environments)
      throw usageError(`'${label}': ${why}`)
    }
    const used = new Map<Perturbation, string[]>()
    for (const environment of appliedPerturbation.environments ?? environments) {
      if (!environments.includes(environment)) continue
      const here = perturbationFor(appliedPerturbation.perturbation, environment, known)
      const isNamed = here !== undefined && here !== appliedPerturbation.perturbation && named.has(here.name)
      if (here === undefined || isNamed || usedIn(placed, environment).some((other) => other.perturbation === here))
        continue
      used.set(here, [...(used.get(here) ?? []), environment])
    }
    for (const [perturbation, names] of used) {
      if (appliedPerturbation.intensity !== undefined && !perturbation.graded) {
        throw usageError(
          `'${label}': in ${listed(names)} '${perturbation.name}' takes the place of '${appliedPerturbation.perturbation.name}', and it is all or nothing. Leave 'intensity' out, or play ${listed(names)} apart.`,
        )
      }
      const other =
        appliedPerturbation.other && placeCondition({ label, applied: appliedPerturbation.other }, names, known).applied
      placed.push({
        ...appliedPerturbation,
        perturbation,
        ...(other && { other }),
        ...(names.length < environments.length && { environments: names }),
      })
    }
  }
  const bare = environments.filter((environment) => usedIn(placed, environment).length === 0)
  const isRestricted = optional || applied.some((perturbation) => perturbation.environments !== undefined)
  if (bare.length > 0 && applied.length > 0 && !isRestricted) {
    const made = [...new Set(applied.map(({ perturbation }) => perturbation.environment!))]
    throw usageError(
      `'${label}' is made for ${listed(made)} and would change nothing in ${listed(bare)}. Play it there alone (${label}:environment=${made.join('/')}), or add one that is made for ${listed(bare)}, as in '${label}+NAME'.`,
    )
  }
  return { label, applied: placed }
}

/** A perturbation if it fits an environment, else its counterpart there. */
function perturbationFor(
  perturbation: Perturbation,
  place: string,
  known: readonly Perturbation[],
): Perturbation | undefined {
  if (perturbation.environment === undefined || perturbation.environment === place) return perturbation
  const part = perturbation.counterpartOf ?? perturbation.name
  return known.find(({ environment, name, counterpartOf = name }) => environment === place && counterpartOf === part)
}

const listed = (names: readonly string[]): string => names.join(' and ')

/** The label of a condition. */
export function labelOf(applied: readonly AppliedPerturbation[]): string {
  const labels = applied.map(({ perturbation, options = {}, environments: environment, ...one }) => {
    const set: Readonly<Record<string, unknown>> = { ...options, ...one, environment }
    const own = Object.keys(perturbation.options ?? {})
    const named = ['of', ...own, ...Object.keys(examples)].filter((key) => set[key] !== undefined)
    return [perturbation.name, ...named.map((key) => `${key}=${[set[key]].flat().join('/')}`)].join(':')
  })
  return labels.join('+') || 'none'
}

/** The options that all perturbations have, in the order of labels, each with an example. */
const examples = {
  mode: 'alias',
  scope: 'instruction/examples',
  intensity: '0.5',
  draw: '2',
  refuse: 'false',
  environment: 'household/pddl',
} as const

function parseApplied(
  text: string,
  known: readonly Perturbation[],
  filters: readonly DataFilter[],
  condition: string,
): AppliedPerturbation {
  const [written = '', ...options] = text.split(':').map((part) => part.trim())
  const name = perturbationName(written)
  const perturbation = known.find((one) => one.name === name)
  if (perturbation === undefined) throw usageError(explainUnknown(name, known, filters, condition))
  const { takesCondition, draws = 1, options: own = {} } = perturbation
  const takes: Readonly<Record<string, string>> = {
    ...(takesCondition && { of: 'synonyms/draw=2' }),
    ...Object.fromEntries(Object.entries(own).map(([key, values]) => [key, values.join('|')])),
    ...examples,
  }
  const given = new Map<string, string>()
  for (const option of options) {
    const [key = '', ...values] = option.split('=')
    if (!Object.hasOwn(takes, key) || values.length === 0 || (values.length > 1 && key !== 'of')) {
      const shown = Object.entries(takes).filter(([one]) => one !== 'draw' || draws > 1)
      const near = Object.hasOwn(takes, key) ? undefined : nearMiss(key, Object.keys(takes))
      throw usageError(
        `'${name}' has no option '${option.slice(0, 100)}'.${near === undefined ? '' : ` Did you mean '${near}'?`} It takes ${shown.map((one) => `'${one.join('=')}'`).join(', ')}.`,
      )
    }
    if (given.has(key)) throw usageError(`The option '${key}' of '${name}' is given twice in '${condition}'.`)
    given.set(key, values.join('='))
  }
  if (given.get('mode') === 'alias' && given.has('refuse')) {
    throw usageError(
      `'${name}' accepts both wordings in mode alias. Leave 'refuse' out, or leave 'mode' out to show the new wording alone.`,
    )
  }
  const common = Object.entries(readers).flatMap(([key, read]) =>
    given.has(key) ? [read(perturbation, given.get(key)!)] : [],
  )
  const set = Object.entries(own).flatMap(([key, values]) => {
    const value = given.get(key)
    if (value === undefined || value === values[0]) return []
    if (!values.includes(value)) refuse(perturbation, key, values.join(' or '), value)
    return [[key, value] as const]
  })
  const other =
    takesCondition === undefined ? undefined : parseOther(name, given.get('of') ?? takesCondition, known, filters)
  const of = other && labelOf(other).replace(/[:+]/g, '/')
  if (of !== undefined && of !== takesCondition) set.push(['of', of])
  const versions =
    other?.map(
      (appliedPerturbation) => `${appliedPerturbation.perturbation.name} ${appliedPerturbation.perturbation.version}`,
    ) ?? []
  return Object.assign(
    {
      perturbation: other ? { ...perturbation, version: [perturbation.version, ...versions].join('/') } : perturbation,
    },
    ...common,
    set.length > 0 && { options: Object.fromEntries(set) },
    other && { other },
  ) as AppliedPerturbation
}

/** Why a text names no perturbation. */
function explainUnknown(
  name: string,
  known: readonly Perturbation[],
  filters: readonly DataFilter[],
  condition: string,
): string {
  if (name === '') return `Expected ${syntax}, got '${condition}'.`
  if (name === 'none') return `'none' stands alone and takes no options, got '${condition}'. Leave it out.`
  if (/^p5$/i.test(name) || filters.some((filter) => filter.name === name))
    return `'${name}' is a data filter: it changes the training data, not the environment. Use it with shaketable data filter-ind --filter, train a model on the filtered data, and name that model as withoutInDomain of the other.`
  return unknownName('perturbation', name, ['none', ...known.map((perturbation) => perturbation.name)])
}

/**
 * The condition of an option `of`, with `/` for both `:` and `+`, as these separate the options and perturbations of
 * the condition that it stands in: `synonyms/draw=2/item-style/style=hash`.
 */
function parseOther(
  name: string,
  text: string,
  known: readonly Perturbation[],
  filters: readonly DataFilter[],
): readonly AppliedPerturbation[] {
  let last = ''
  const condition = text.split('/').reduce((before, part) => {
    const isOption = part.includes('=')
    const separator = isOption ? ':' : last === 'scope' && parts.some((one) => one === part) ? '/' : '+'
    if (separator !== '/') last = isOption ? part.slice(0, part.indexOf('=')) : ''
    return before === '' ? part : before + separator + part
  }, '')
  const { applied } = parseCondition(condition === '' ? 'none' : condition, known, filters)
  const unfit = applied.find(({ perturbation: { takesCondition, laysOut } }) => takesCondition || laysOut)?.perturbation
    .name
  if (applied.length > 0 && unfit === undefined) return applied
  throw usageError(
    `'${name}' takes a condition that changes what the environment shows, got '${unfit ?? 'none'}'. Name another one, as in '${name}:of=synonyms/draw=2'.`,
  )
}

/** @throws ShaketableError `usage` */
function refuse({ name }: Perturbation, option: string, takes: string, text: string): never {
  throw usageError(`The option '${option}' of '${name}' takes ${takes}, got '${text.slice(0, 40)}'.`)
}

/** @throws ShaketableError `usage` with how many draws there are */
export function checkDraw(perturbation: Perturbation, draw: number, given: string): void {
  const { draws = 1 } = perturbation
  if (draw >= 1 && draw <= draws) return
  const range =
    draws === Infinity
      ? 'a whole number from 1 to 999999'
      : draws === 1
        ? 'only 1, since it has one wording'
        : `one of its ${String(draws)} draws, 1 to ${String(draws)}`
  refuse(perturbation, 'draw', range, given)
}

type Reader = (of: Perturbation, text: string) => Partial<AppliedPerturbation>

/** Reads the options that all perturbations have; those at their default are left out. */
const readers: Readonly<Record<keyof typeof examples, Reader>> = {
  mode(of, text) {
    const mode = modes.find((one) => one === text) ?? refuse(of, 'mode', modes.join(' or '), text)
    return mode === 'replace' ? {} : { mode, apply: applyAliases }
  },
  scope(of, text) {
    const wanted = text.split('/')
    const unknown = wanted.find((one) => !parts.some((part) => part === one))
    if (unknown !== undefined) {
      const what = `The option 'scope' of '${of.name}' takes parts of a conversation with / between them.`
      throw usageError(`${what} ${unknownName('part', unknown, parts)}`)
    }
    const scope = parts.filter((part) => wanted.includes(part))
    return scope.length === parts.length ? {} : { scope }
  },
  intensity(of, text) {
    const intensity = /^\d{0,2}(\.\d{1,12})?$/.test(text) && text !== '' ? Number(text) : NaN
    if (!of.graded) {
      const message = `'${of.name}' is all or nothing: it takes no 'intensity', got '${text.slice(0, 40)}'.`
      throw usageError(message)
    }
    if (!(intensity <= 1)) refuse(of, 'intensity', 'a number from 0 to 1', text)
    return intensity === 1 ? {} : { intensity }
  },
  draw(of, text) {
    const draw = /^\d{1,6}$/.test(text) ? Number(text) : NaN
    checkDraw(of, draw, text)
    return draw === 1 ? {} : { draw }
  },
  refuse(of, text) {
    if (text !== 'true' && text !== 'false')
      refuse(of, 'refuse', 'true or false (whether the old wording is refused)', text)
    return text === 'true' ? {} : { refuse: false }
  },
  environment(of, text) {
    const environments = [...new Set(text.split('/').map((one) => one.trim()))]
    if (environments.includes('')) refuse(of, 'environment', 'names of environments with / between them', text)
    return { environments }
  },
}
