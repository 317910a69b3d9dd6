import type { PublishedRow } from '../results/published/parse-published.js'
import { canonicalJson } from '../core/episode.js'

/**
 * What a row is: a `cell` somebody measured, an `average` over the perturbations of a model, a `difference` of two
 * cells, or a `weighted` score over several environments.
 */
export type Role = 'cell' | 'average' | 'difference' | 'weighted'

/** The name of the unperturbed column. */
export const clean = 'none'

/** What the caller knows about the figures beside the file. */
export interface Known {
  /** How many tasks each environment has. */
  readonly tasks: ReadonlyMap<string, number>
  /** The source of assumed numbers of tasks: what contradicts them is a doubt. Absent where they are given. */
  readonly assumedFrom?: string
  /** Number of seeds behind each rate whose row does not give one. */
  readonly seeds?: number
}

/** The rows of a file, with what the checks have in common. */
export interface Sheet extends Known {
  readonly rows: readonly PublishedRow[]
  /** 100 where the file's rates are in percent, 1 where they are shares. */
  readonly full: 1 | 100
  of(role: Role): readonly PublishedRow[]
  /** The unit of the last printed digit of a row's value, or of its deviation. */
  unitOf(row: PublishedRow, figure?: 'value' | 'deviation'): number
  /** A row's value with the digits that its table prints. */
  print(row: PublishedRow): string
}

/** Allowance for the rounding of binary fractions. */
export const slack = 1e-9

/**
 * Prepares rows for the checks. The number of printed digits is the largest of all figures of a table with one role,
 * since files of figures often lose trailing zeros.
 */
export function sheetOf(rows: readonly PublishedRow[], known: Known): Sheet {
  const roles = groupBy(rows, roleOf)
  const decimals = new Map<string, number>()
  for (const row of rows) {
    for (const figure of ['value', 'deviation'] as const) {
      const key = keyOf(row.table, roleOf(row), figure)
      decimals.set(key, Math.max(decimals.get(key) ?? 0, decimalsOf(row[figure] ?? 0)))
    }
  }
  const decimalsAt = (row: PublishedRow, figure: 'value' | 'deviation'): number =>
    decimals.get(keyOf(row.table, roleOf(row), figure))!
  const rates = rows.filter(({ metric }) => metric === 'success' || metric === 'progress')
  const isShares = rates.length > 0 && rates.every(({ value }) => Math.abs(value) <= 1)
  return {
    ...known,
    rows,
    full: isShares ? 1 : 100,
    of: (role) => roles.get(role) ?? [],
    unitOf: (row, figure = 'value') => 10 ** -decimalsAt(row, figure),
    print: (row) => row.value.toFixed(decimalsAt(row, 'value')),
  }
}

function roleOf({ setting, perturbation, environment }: PublishedRow): Role {
  if (Object.hasOwn(setting, 'delta')) return 'difference'
  if (/\b(?:average|avg|mean)\b/i.test(perturbation)) return 'average'
  return /\b(?:weighted|average|avg|mean|overall)\b/i.test(environment) ? 'weighted' : 'cell'
}

/** The decimals of a unit: 1 for 0.1. */
export function digitsOf(unit: number): number {
  return Math.round(-Math.log10(unit))
}

/** A whole number from 1 in the text of a setting; undefined for any other text. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

function decimalsOf(value: number): number {
  return /\.(\d+)$/.exec(value.toFixed(12).replace(/0+$/, ''))?.[1]!.length ?? 0
}

/** Items by their key, in order. */
export function groupBy<Item, Key extends string>(
  items: readonly Item[],
  keyOfItem: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOfItem(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Texts as one key. */
export function keyOf(...texts: readonly string[]): string {
  return JSON.stringify(texts)
}

/** A setting as one key, in whatever order it is written. */
export function settingKey(setting: PublishedRow['setting']): string {
  return canonicalJson(setting)
}

/** `AgentGym (base=LLaMA-3-8B; decode=greedy), alfworld, P1, success`. */
export function nameRow({ model, setting, environment, perturbation, metric }: PublishedRow): string {
  return [nameModel({ model, setting }), environment, ...(perturbation === clean ? [] : [perturbation]), metric].join(
    ', ',
  )
}

/** `AgentGym (base=LLaMA-3-8B; decode=greedy)`. */
export function nameModel({ model, setting }: Pick<PublishedRow, 'model' | 'setting'>): string {
  const parts = Object.entries(setting).map(([key, value]) => (value === '' ? key : `${key}=${value}`))
  return parts.length === 0 ? model : `${model} (${parts.join('; ')})`
}

/** The lines of the first rows of all lists, at most 24. */
export function linesOf(...lists: readonly (readonly PublishedRow[])[]): number[] {
  const max = 24
  return lists
    .flatMap((rows) => rows.slice(0, max))
    .slice(0, max)
    .map(({ line }) => line)
}

/** `line 4`, `lines 4, 5 and 6`. */
export function nameLines(rows: readonly PublishedRow[]): string {
  const lines = rows.slice(0, 12).map(({ line }) => String(line))
  if (rows.length > 12) return `lines ${lines.slice(0, 11).join(', ')} and ${String(rows.length - 11)} more`
  return lines.length === 1 ? `line ${lines[0]!}` : `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)!}`
}

/**
 * `contradiction`: figures that are printed or given by the caller and cannot all be true. `doubt`: a figure that
 * cannot be derived from the others, that was likely not measured, or that is wrong only under an assumption, which the
 * message names. `note`: worth knowing, though nothing is wrong.
 */
export type Severity = 'contradiction' | 'doubt' | 'note'

/** Severities, worst first. */
export const severities: readonly Severity[] = ['contradiction', 'doubt', 'note']

/** One finding of a check. */
export interface Finding {
  readonly severity: Severity
  /** Lines of the file that it is about, the most relevant one first. */
  readonly lines: readonly number[]
  readonly message: string
}

/** One check and its results. */
export interface Check {
  readonly name: string
  /** The question about each figure, in a few words. */
  readonly asks: string
  readonly checked: number
  /** Number of checked figures that hold. */
  readonly held: number
  /** Number of figures for which the file has too little to check them. */
  readonly unchecked: number
  readonly findings: readonly Finding[]
}
