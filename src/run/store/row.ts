import type { Dose } from '../../core/environment.js'
import type { Leak } from '../../core/dose.js'
import { absentForZero } from '../../core/dose.js'
import { parts } from '../../core/perturbation.js'
import type {
  EpisodeRow,
  Failures,
  FirstRefusal,
  InvalidKind,
  Measures,
  ReplyFault,
  Summed,
  WordingChoices,
  WordingSums,
} from '../../core/episode.js'
import { actionCharacters, invalidKinds, outcomes } from '../../core/episode.js'
import type { Plan } from '../plan.js'
import type { Line } from '../../files/lines.js'
import { readLines } from '../../files/lines.js'
import { cellAt, createCellFinder, createKeyMaker } from '../cells.js'

/** Reads a line of outcomes.jsonl; undefined if it is not an episode's row. */
export function readRow(line: string): EpisodeRow | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRow(value) ? value : undefined
  } catch {
    return undefined
  }
}

type Unknown<Type> = { readonly [Key in keyof Type]?: unknown }

const knownOutcomes: ReadonlySet<unknown> = new Set(outcomes)

/**
 * Whether a value is an episode's row; checked before writing and after reading. Written by hand for speed, since a
 * report may read a million rows. Unknown fields, as of a later version, are allowed.
 */
export function isRow(value: unknown): value is EpisodeRow {
  if (!isObject<EpisodeRow>(value)) return false
  const { key, environment, task, column, model, agent, temperature, seed, date, outcome, progress, error } = value
  const { trace, opening, actions, servedBy } = value
  return (
    typeof key === 'string' &&
    /^[0-9a-f]{20}$/.test(key) &&
    typeof environment === 'string' &&
    typeof task === 'string' &&
    typeof column === 'string' &&
    typeof model === 'string' &&
    typeof agent === 'string' &&
    Number.isFinite(temperature) &&
    Number.isFinite(seed) &&
    (date === undefined || isDate(date)) &&
    knownOutcomes.has(outcome) &&
    isShare(progress) &&
    mayBeCount(value.stepLimit) &&
    isMeasures(value.measures) &&
    (value.trials === undefined || areTrials(value.trials)) &&
    (value.dose === undefined || isDose(value.dose)) &&
    (trace === undefined || (typeof trace === 'string' && /^[0-9a-f]{12}$/.test(trace))) &&
    (value.refused === undefined || value.refused === true) &&
    (opening === undefined || (typeof opening === 'string' && /^[0-9a-f]{8}$/.test(opening))) &&
    (actions === undefined || areActions(actions)) &&
    (servedBy === undefined || (Array.isArray(servedBy) && servedBy.every((name) => typeof name === 'string'))) &&
    (error === undefined || typeof error === 'string')
  )
}

function areActions(value: unknown): boolean {
  return typeof value === 'string' && value.length % actionCharacters === 0 && /^[\w-]*$/.test(value)
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}

function isMeasures(value: unknown): boolean {
  if (!isObject<Measures>(value)) return false
  const { faults, gains, choices } = value
  return (
    isCount(value.steps) &&
    mayBeCount(value.understood) &&
    isCount(value.formatErrors) &&
    isCount(value.repeats) &&
    mayBeCount(value.memorised) &&
    mayBeCount(value.touched) &&
    isCount(value.modelCalls) &&
    isCount(value.promptTokens) &&
    isCount(value.completionTokens) &&
    mayBeCount(value.adapted) &&
    mayBeCount(value.firstUnderstood) &&
    (value.firstRefusal === undefined || isFirstRefusal(value.firstRefusal)) &&
    (value.failures === undefined || areFailures(value.failures)) &&
    (value.invalid === undefined || areInvalid(value.invalid)) &&
    mayBeCount(value.attempts) &&
    mayBeCount(value.cut) &&
    (value.actionTokens === undefined || areTokens(value.actionTokens)) &&
    (value.wordings === undefined || areWordings(value.wordings)) &&
    (choices === undefined || areChoices(choices)) &&
    (faults === undefined || areFaults(faults)) &&
    (value.finishes === undefined || areCounts(value.finishes)) &&
    (gains === undefined || (Array.isArray(gains) && gains.every(isGain)))
  )
}

function areTrials(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isShare)
}

function areTokens(value: unknown): boolean {
  return isObject<Summed>(value) && isCount(value.tokens) && isLogprob(value.sum)
}

function areWordings(value: unknown): boolean {
  if (!isObject<WordingSums>(value)) return false
  const { steps, asked, scored, preferred, calls, promptTokens, completionTokens } = value
  return (
    [steps, asked, scored, preferred, calls, promptTokens, completionTokens].every(isCount) &&
    Number(steps) >= Number(asked) &&
    Number(asked) >= Number(scored) &&
    Number(scored) >= Number(preferred) &&
    isLogprob(value.present) &&
    isLogprob(value.original)
  )
}

function areChoices(value: unknown): boolean {
  if (!isObject<WordingChoices>(value)) return false
  const isFirst = value.first === 'original' || value.first === 'alias'
  return isFirst && [value.original, value.alias, value.mixed].every(isCount)
}

function isLogprob(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value <= 0
}

function areFaults(value: unknown): boolean {
  if (!isObject<Record<ReplyFault, number>>(value)) return false
  return (['empty', 'length', 'unclosed-reasoning', 'too-long'] as const).every((fault) => mayBeCount(value[fault]))
}

function areCounts(value: unknown): boolean {
  return isObject<Record<string, number>>(value) && Object.values(value).every(isCount)
}

function isFirstRefusal(value: unknown): boolean {
  return isObject<FirstRefusal>(value) && isCount(value.step) && isCount(value.left) && mayBeCount(value.recovered)
}

function areFailures(value: unknown): boolean {
  return isObject<Failures>(value) && isCount(value.read) && isCount(value.repeated) && isCount(value.recovered)
}

function areInvalid(value: unknown): boolean {
  return isObject<Record<InvalidKind, number>>(value) && invalidKinds.every((kind) => mayBeCount(value[kind]))
}

function isGain(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && isCount(value[0]) && value[0] > 0 && isShare(value[1])
}

function isDose(value: unknown): boolean {
  return (
    isObject<Dose>(value) &&
    isCount(value.forms) &&
    isCount(value.commandsSaid) &&
    isCount(value.commandsSeen) &&
    isCount(value.names) &&
    isCount(value.characters) &&
    absentForZero.every((count) => mayBeCount(value[count])) &&
    isCount(value.leaks) &&
    (value.leaked === undefined || (Array.isArray(value.leaked) && value.leaked.every(isLeak)))
  )
}

function isLeak(value: unknown): boolean {
  return (
    isObject<Leak>(value) &&
    typeof value.old === 'string' &&
    parts.some((part) => part === value.part) &&
    isCount(value.times)
  )
}

function mayBeCount(value: unknown): boolean {
  return value === undefined || isCount(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isObject<Type>(value: unknown): value is Unknown<Type> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A line of outcomes.jsonl, and its place in a plan. */
interface RowLine {
  readonly line: Line
  /** Absent if the line is damaged or not a row. */
  readonly row?: EpisodeRow
  /** Index of the row's episode in the order of play; absent if the plan has no episode with its names and key. */
  readonly place?: number
}

/**
 * Reads outcomes.jsonl line by line. Both a report and a resumed run count an episode as stored exactly if this finds
 * its row, so that they cannot disagree.
 * @throws ShaketableError `store` if the file cannot be read
 */
export function* readRows(path: string, plan: Plan): Generator<RowLine, void, undefined> {
  const find = createCellFinder(plan)
  const keyOf = createKeyMaker(plan)
  for (const line of readLines(path)) {
    const row = line.state === 'damaged' ? undefined : readRow(line.text)
    const place = row && find(row)
    if (row === undefined) yield { line }
    else if (place === undefined || row.key !== keyOf(cellAt(plan, place))) yield { line, row }
    else yield { line, row, place }
  }
}
