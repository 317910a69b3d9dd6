import type { Plan } from '../../core/report.js'

/** One place where two plans differ. */
interface PlanDifference {
  /** `seeds`, `environments.household.settings.split`. */
  readonly path: string
  readonly was: unknown
  readonly is: unknown
}

/** What explains a plan and decides nothing in it, by the list that it stands in. */
const explanations: Readonly<Record<string, readonly string[]>> = {
  perturbations: ['summary', 'source'],
  environments: ['data', 'measure'],
  tasks: ['difficulty'],
}

/** Where two plans differ in anything that decides their episodes or how they are counted. */
export function comparePlans(was: Plan, is: Plan): PlanDifference[] {
  const differences: PlanDifference[] = []
  compare(was, { ...is, version: was.version }, [], differences)
  return differences
}

/** The differences as a person reads them, one a line, the first ten. */
export function describeDifferences(differences: readonly PlanDifference[]): string {
  const lines = differences.slice(0, 10).map(({ path, was, is }) => `  ${path}: was ${show(was)}, is ${show(is)}`)
  if (differences.length > 10) lines.push(`  … and ${String(differences.length - 10)} more`)
  return lines.join('\n')
}

function compare(was: unknown, is: unknown, path: readonly string[], found: PlanDifference[]): void {
  if (isObject(was) && isObject(is)) {
    const keys = new Set([...Object.keys(was), ...Object.keys(is)])
    for (const key of keys) {
      if (explanations[path.at(-2) ?? '']?.includes(key)) continue
      compare(valueAt(was, key), valueAt(is, key), [...path, key], found)
    }
    return
  }
  if (Array.isArray(was) && Array.isArray(is)) {
    const [before, after] = [byName(was), byName(is)]
    if (before !== undefined && after !== undefined) {
      const [names, newNames] = [[...before.keys()], [...after.keys()]]
      if (JSON.stringify(names) === JSON.stringify(newNames)) {
        for (const name of names) compare(before.get(name), after.get(name), [...path, name], found)
      } else {
        found.push({ path: path.join('.'), was: names, is: newNames })
      }
      return
    }
  }
  if (JSON.stringify(was) !== JSON.stringify(is)) found.push({ path: path.join('.'), was, is })
}

/** A list of named things by name; undefined where it is a list of something else. */
function byName(list: readonly unknown[]): Map<string, unknown> | undefined {
  const entries = list.map((item): [string, unknown] | undefined => {
    const name = isObject(item) ? (item['name'] ?? item['label'] ?? item['id']) : undefined
    return typeof name === 'string' ? [name, item] : undefined
  })
  if (list.length === 0 || entries.some((entry) => entry === undefined)) return undefined
  const named = new Map(entries as [string, unknown][])
  return named.size === list.length ? named : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function valueAt(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function show(value: unknown): string {
  if (value === undefined) return 'absent'
  if (Array.isArray(value) && value.length > 6) {
    return `${String(value.length)} (${show(value[0])}, …, ${show(value.at(-1))})`
  }
  const text = Array.isArray(value)
    ? `[${value.map(show).join(', ')}]`
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
