import type { PublishedRow } from '../../reports/published/parse-published.js'
import { canonicalJson } from '../core/episode.js'

/**
 * What a row is: a `cell` somebody measured, an `average` over the perturbations of a model, a `difference` of two
 * cells, or a `weighted` score over several environments.
 */
export type Role = 'cell' | 'average' | 'difference' | 'weighted'

/** The name of the unperturbed column. */
export const clean = 'none'

/** What is known of the figures beside what the file says. */
export interface Known {
  /** How many tasks each environment has. */
  readonly tasks: ReadonlyMap<string, number>
  /** Whose numbers of tasks they are where nobody gave them: what contradicts them is a doubt. */
  readonly assumedFrom?: string
  /** How many seeds each rate is the mean over, where its row does not say. */
  readonly seeds?: number
}

/** The rows of a file with what all checks ask of them. */
export interface Sheet extends Known {
  readonly rows: readonly PublishedRow[]
  /** 100 where the file's rates are in percent, 1 where they are shares. */
  readonly full: 1 | 100
  of(role: Role): readonly PublishedRow[]
  /** The unit of the last digit that is printed of a row's value, or of its deviation. */
  unitOf(row: PublishedRow, figure?: 'value' | 'deviation'): number
  /** A row's value with the digits that its table prints. */
  print(row: PublishedRow): string
}

/** What stands for nothing, to make up for the rounding of binary fractions. */
export const slack = 1e-9

/**
 * Lays rows out for the checks. How many digits are printed is taken from all figures of a table that are of one role,
 * as files of figures often lose the zeros at the end.
 */
export function sheetOf(rows: readonly PublishedRow[], known: Known): Sheet {
  const roles = new Map<Role, PublishedRow[]>()
  const decimals = new Map<string, number>()
  for (const row of rows) {
    const role = roleOf(row)
    const sameRole = roles.get(role)
    if (sameRole === undefined) roles.set(role, [row])
    else sameRole.push(row)
    for (const figure of ['value', 'deviation'] as const) {
      const key = keyOf(row.table, role, figure)
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

/** How many decimals a unit such as 0.1 stands for. */
export function digitsOf(unit: number): number {
  return Math.round(-Math.log10(unit))
}

/** A whole number from 1, as it may stand in a setting. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

function decimalsOf(value: number): number {
  return /\.(\d+)$/.exec(value.toFixed(12).replace(/0+$/, ''))?.[1]!.length ?? 0
}

/** Rows by what they have in common, in the order of the file. */
export function groupRows(
  rows: readonly PublishedRow[],
  keyOfRow: (row: PublishedRow) => string,
): ReadonlyMap<string, readonly PublishedRow[]> {
  const groups = new Map<string, PublishedRow[]>()
  for (const row of rows) {
    const key = keyOfRow(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}

/** Texts as one key. */
export function keyOf(...texts: readonly string[]): string {
  return JSON.stringify(texts)
}

/** A setting as one key, whatever the order in which it is written. */
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

/** The lines of the first rows of all lists: enough to look at, however many there are. */
export function linesOf(...lists: readonly (readonly PublishedRow[])[]): number[] {
  const most = 24
  return lists
    .flatMap((rows) => rows.slice(0, most))
    .slice(0, most)
    .map(({ line }) => line)
}

/** `line 4`, `lines 4, 5 and 6`. */
export function nameLines(rows: readonly PublishedRow[]): string {
  const lines = rows.slice(0, 12).map(({ line }) => String(line))
  if (rows.length > 12) return `lines ${lines.slice(0, 11).join(', ')} and ${String(rows.length - 11)} more`
  return lines.length === 1 ? `line ${lines[0]!}` : `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)!}`
}

/**
 * `contradiction`: things that are all printed or given by the caller cannot all be true. `doubt`: a figure that cannot
 * be derived from what is printed beside it, that was likely not measured, or that is wrong only under an assumption,
 * which the message names. `note`: what a reader should know, though nothing is wrong.
 */
export type Severity = 'contradiction' | 'doubt' | 'note'

/** Severities, worst first. */
export const severities: readonly Severity[] = ['contradiction', 'doubt', 'note']

/** Something that a check found. */
export interface Finding {
  readonly severity: Severity
  /** Lines of the file that it is about, the one to look at first in front. */
  readonly lines: readonly number[]
  readonly message: string
}

/** What a check asked and what came of it. */
export interface Check {
  readonly name: string
  /** What is asked of each figure, in a few words. */
  readonly asks: string
  /**
   * Figures that could be checked, those of them that hold, and those for which the file does not have what it takes.
   */
  readonly checked: number
  readonly held: number
  readonly unchecked: number
  readonly findings: readonly Finding[]
}
