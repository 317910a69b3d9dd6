import type { EpisodeRow } from '../../core/episode.js'
import { outcomes } from '../../core/episode.js'

/** Reads a line of outcomes.jsonl; undefined where it is not an episode's row. */
export function readRow(line: string): EpisodeRow | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRow(value) ? value : undefined
  } catch {
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

const names = ['environment', 'task', 'column', 'model', 'agent']
const counts = [
  'steps',
  'understood',
  'formatErrors',
  'repeats',
  'memorised',
  'modelCalls',
  'promptTokens',
  'completionTokens',
]
const laterCounts = ['adapted', 'attempts', 'cut']
const faults = ['empty', 'length', 'unclosed-reasoning']
const doses = ['forms', 'commandsSaid', 'commandsSeen', 'names', 'characters', 'leaks']
const knownOutcomes: ReadonlySet<unknown> = new Set(outcomes)

/** Written out by hand, since a report on a million rows asks it a million times. What a later version adds is no fault. */
function isRow(value: unknown): value is EpisodeRow {
  if (!isObject(value)) return false
  const { key, temperature, seed, outcome, progress, measures, dose, error } = value
  return (
    typeof key === 'string' &&
    /^[0-9a-f]{20}$/.test(key) &&
    hasTexts(value, names) &&
    Number.isFinite(temperature) &&
    Number.isFinite(seed) &&
    knownOutcomes.has(outcome) &&
    isShare(progress) &&
    isMeasures(measures) &&
    (dose === undefined || (isObject(dose) && hasCounts(dose, doses))) &&
    (error === undefined || typeof error === 'string')
  )
}

function isMeasures(value: unknown): boolean {
  if (!isObject(value) || !hasCounts(value, counts) || !hasCounts(value, laterCounts, true)) return false
  const { faults: found, gains } = value
  return (
    (found === undefined || (isObject(found) && hasCounts(found, faults, true))) &&
    (gains === undefined || (Array.isArray(gains) && gains.every(isGain)))
  )
}

function isGain(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && isCount(value[0]) && value[0] > 0 && isShare(value[1])
}

function hasTexts(fields: Fields, wanted: readonly string[]): boolean {
  for (const name of wanted) if (typeof fields[name] !== 'string') return false
  return true
}

function hasCounts(fields: Fields, wanted: readonly string[], mayLack = false): boolean {
  for (const name of wanted) {
    const value = fields[name]
    if (!isCount(value) && !(mayLack && value === undefined)) return false
  }
  return true
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
