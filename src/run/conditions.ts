import { suggest, unknownName, usageError } from '../core/errors.js'
import { type AppliedPerturbation, type Perturbation, modes, usedIn } from '../core/perturbation.js'
import { parts } from '../core/text.js'
import { applyAliases } from '../play/alias.js'
import { type Registry, perturbationName } from './registry.js'

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
 * @throws ShaketableError `usage` with the nearest known name, or the expected value of an option
 */
export function parseCondition(text: string, known: readonly Perturbation[]): Condition {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text
  if (text.trim() === '') throw usageError(`Expected ${syntax}, got '${short}'.`)
  if (text.trim() === 'none') return { label: 'none', applied: [] }
  const applied = text.split('+').map((part) => parseApplied(part.trim(), known, short))
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
  if (!text.includes(',')) return parseCondition(text, registry.list('lens'))
  throw usageError(
    `--perturb: expected one condition, got '${text.slice(0, 200)}', where a comma stands between several. Write + between perturbations to lay them over each other.`,
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
  for (const entry of applied) {
    const stray = entry.environments?.find((name) => !environments.includes(name))
    if (stray !== undefined && !optional)
      throw usageError(`'${label}': ${unknownName('environment of this experiment', stray, environments)}`)
    const used = new Map<Perturbation, string[]>()
    for (const environment of (entry.environments ?? environments).filter((name) => environments.includes(name))) {
      const here = perturbationFor(entry.perturbation, environment, known)
      const isNamed = here !== undefined && here !== entry.perturbation && named.has(here.name)
      if (here === undefined || isNamed || usedIn(placed, environment).some((other) => other.perturbation === here))
        continue
      used.set(here, [...(used.get(here) ?? []), environment])
    }
    for (const [perturbation, names] of used) {
      if (entry.intensity !== undefined && !perturbation.graded) {
        throw usageError(
          `'${label}': in ${listed(names)} '${perturbation.name}' takes the place of '${entry.perturbation.name}', and it is all or nothing. Leave 'intensity' out, or play ${listed(names)} apart.`,
        )
      }
      const other = entry.other && placeCondition({ label, applied: entry.other }, names, known).applied
      placed.push({
        ...entry,
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
    const optionNames = Object.keys(perturbation.options ?? {})
    const named = ['of', ...optionNames, ...Object.keys(commonOptions)].filter((key) => set[key] !== undefined)
    return [perturbation.name, ...named.map((key) => `${key}=${[set[key]].flat().join('/')}`)].join(':')
  })
  return labels.join('+') || 'none'
}

/** An option that all perturbations have. */
interface CommonOption {
  readonly example: string
  /** What it takes, in words. */
  readonly takes: string
  /** Reads a text, for a perturbation; undefined for one that it does not take. Nothing is kept of a default. */
  readonly read: (text: string, of: Perturbation) => Partial<AppliedPerturbation> | undefined
}

/** The options that all perturbations have, in the order of labels. */
const commonOptions: Readonly<Record<string, CommonOption>> = {
  mode: {
    example: 'alias',
    takes: modes.join(' or '),
    read: (text) => (text === 'alias' ? { mode: text, apply: applyAliases } : text === 'replace' ? {} : undefined),
  },
  scope: {
    example: 'instruction/examples',
    takes: parts.join('/'),
    read(text, { name }) {
      const wanted = text.split('/')
      const unknown = wanted.find((one) => !parts.some((part) => part === one))
      if (unknown !== undefined)
        throw usageError(`The option 'scope' of '${name}': ${unknownName('part', unknown, parts)}`)
      const scope = parts.filter((part) => wanted.includes(part))
      return scope.length === parts.length ? {} : { scope }
    },
  },
  intensity: {
    example: '0.5',
    takes: 'a number from 0 to 1',
    read(text, { name, graded }) {
      if (!graded) throw usageError(`'${name}' is all or nothing: it takes no 'intensity', got '${text.slice(0, 40)}'.`)
      const intensity = /^(?=.)\d{0,2}(\.\d{1,12})?$/.test(text) ? Number(text) : NaN
      return intensity === 1 ? {} : intensity < 1 ? { intensity } : undefined
    },
  },
  draw: {
    example: '2',
    takes: 'a whole number',
    read(text, of) {
      const draw = /^\d{1,6}$/.test(text) ? Number(text) : NaN
      checkDraw(of, draw, text)
      return draw === 1 ? {} : { draw }
    },
  },
  refuse: {
    example: 'false',
    takes: 'true or false (whether the old wording is refused)',
    read: (text) => (text === 'false' ? { refuse: false } : text === 'true' ? {} : undefined),
  },
  environment: {
    example: 'household/pddl',
    takes: 'names of environments with / between them',
    read(text) {
      const environments = [...new Set(text.split('/').map((name) => name.trim()))]
      return environments.includes('') ? undefined : { environments }
    },
  },
}

function parseApplied(text: string, known: readonly Perturbation[], condition: string): AppliedPerturbation {
  const [written = '', ...options] = text.split(':').map((part) => part.trim())
  const perturbation = findPerturbation(perturbationName(written), known, condition)
  const { name, takesCondition, options: allowed = {} } = perturbation
  const takes = new Map([
    ...(takesCondition === undefined ? [] : [['of', 'synonyms/draw=2'] as const]),
    ...Object.entries(allowed).map(([key, values]) => [key, values.join('|')] as const),
    ...Object.entries(commonOptions).map(([key, { example }]) => [key, example] as const),
  ])
  const given = new Map<string, string>()
  for (const option of options) {
    const [key = '', ...values] = option.split('=')
    if (!takes.has(key) || values.length === 0 || (values.length > 1 && key !== 'of')) {
      const shown = [...takes].map((option) => `'${option.join('=')}'`).join(', ')
      const near = takes.has(key) ? '' : suggest(key, takes.keys())
      throw usageError(`'${name}' has no option '${option.slice(0, 100)}'.${near} It takes ${shown}.`)
    }
    if (given.has(key)) throw usageError(`The option '${key}' of '${name}' is given twice in '${condition}'.`)
    given.set(key, values.join('='))
  }
  if (given.get('mode') === 'alias' && given.has('refuse'))
    throw usageError(`'${name}' accepts both wordings in mode alias. Leave 'refuse' out, or 'mode'.`)
  const common = Object.entries(commonOptions).flatMap(([key, { takes, read }]) => {
    const text = given.get(key)
    return text === undefined ? [] : [read(text, perturbation) ?? refuse(perturbation, key, takes, text)]
  })
  const set = Object.entries(allowed).flatMap(([key, values]) => {
    const value = given.get(key) ?? values[0]!
    if (!values.includes(value)) refuse(perturbation, key, values.join(' or '), value)
    return value === values[0] ? [] : [[key, value] as const]
  })
  const other = takesCondition === undefined ? undefined : parseOther(name, given.get('of') ?? takesCondition, known)
  const of = other && labelOf(other).replace(/[:+]/g, '/')
  if (of !== undefined && of !== takesCondition) set.push(['of', of])
  const versions = other?.map((entry) => `${entry.perturbation.name} ${entry.perturbation.version}`) ?? []
  return Object.assign(
    {
      perturbation: other ? { ...perturbation, version: [perturbation.version, ...versions].join('/') } : perturbation,
    },
    ...common,
    set.length > 0 && { options: Object.fromEntries(set) },
    other && { other },
  ) as AppliedPerturbation
}

function findPerturbation(name: string, known: readonly Perturbation[], condition: string): Perturbation {
  const match = known.find((candidate) => candidate.name === name)
  if (match !== undefined) return match
  if (name === '') throw usageError(`Expected ${syntax}, got '${condition}'.`)
  if (name === 'none') throw usageError(`'none' stands alone and takes no options, got '${condition}'. Leave it out.`)
  if (/^(?:p|agentrefine-)5$/i.test(name))
    throw usageError(
      `'${name}' is a data filter: it changes the training data, not the environment. Use it with shaketable data filter-ind --filter, train a model on the filtered data, and name that model as withoutInDomain of the other.`,
    )
  throw usageError(unknownName('perturbation', name, ['none', ...known.map((perturbation) => perturbation.name)]))
}

/**
 * The condition of an option `of`, with `/` for both `:` and `+`, as these separate the options and perturbations of
 * the condition that it stands in: `synonyms/draw=2/item-style/style=hash`.
 */
function parseOther(name: string, text: string, known: readonly Perturbation[]): readonly AppliedPerturbation[] {
  let last = ''
  const condition = text.split('/').reduce((before, part) => {
    const isOption = part.includes('=')
    const separator = isOption ? ':' : last === 'scope' && parts.some((candidate) => candidate === part) ? '/' : '+'
    if (separator !== '/') last = isOption ? part.slice(0, part.indexOf('=')) : ''
    return before === '' ? part : before + separator + part
  }, '')
  const { applied } = parseCondition(condition === '' ? 'none' : condition, known)
  const unfit = applied.find(({ perturbation: { takesCondition, laysOut } }) => takesCondition || laysOut)?.perturbation
    .name
  if (applied.length > 0 && unfit === undefined) return applied
  throw usageError(
    `'${name}' takes a condition that changes what the environment shows, got '${unfit ?? 'none'}'. Name another one, as in '${name}:of=synonyms/draw=2'.`,
  )
}

function refuse({ name }: Perturbation, option: string, takes: string, text: string): never {
  throw usageError(`The option '${option}' of '${name}' takes ${takes}, got '${text.slice(0, 40)}'.`)
}

/** @throws ShaketableError `usage` with how many draws there are */
export function checkDraw(perturbation: Perturbation, draw: number, text: string): void {
  const { draws = 1 } = perturbation
  if (draw >= 1 && draw <= draws) return
  const most = draws === Infinity ? '999999' : `${String(draws)}, the number of its wordings`
  refuse(perturbation, 'draw', `a whole number from 1 to ${most}`, text)
}
