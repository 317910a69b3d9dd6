import type { PublishedRow } from '../results/published/parse-published.js'
import { fitCount, isCounted, trialsOf } from './counts.js'
import type { Check, Finding, Sheet } from './sheet.js'
import { digitsOf, groupBy, keyOf, nameRow, settingKey, slack } from './sheet.js'

/**
 * Printed differences: are they those of the two cells? A row with the setting `delta=A - B` is the difference of the
 * rows that have A and B in one setting.
 */
export function checkDeltas(sheet: Sheet): Check {
  const family = ({ table, model, environment, perturbation, metric }: PublishedRow): string =>
    keyOf(table, model, environment, perturbation, metric)
  const cells = groupBy(sheet.of('cell'), family)
  const families = new Map<string, Family>()
  const findings: Finding[] = []
  let checked = 0
  for (const row of sheet.of('difference')) {
    const key = family(row)
    const known = families.get(key) ?? openFamily(cells.get(key) ?? [])
    families.set(key, known)
    const pair = findPair(row, known)
    if (pair === undefined) continue
    checked++
    const { minuend, subtrahend } = pair
    const difference = minuend.value - subtrahend.value
    const reach = [row, minuend, subtrahend].reduce((sum, one) => sum + sheet.unitOf(one) / 2, 0)
    if (Math.abs(difference - row.value) <= reach + slack) continue
    const print = (value: number): string => value.toFixed(digitsOf(sheet.unitOf(row)))
    findings.push({
      severity: 'contradiction',
      lines: [row.line, minuend.line, subtrahend.line],
      message:
        `${row.table}: ${nameRow(row)} is printed as ${sheet.print(row)}, but ${sheet.print(minuend)} − ${sheet.print(subtrahend)} is ${print(difference)}. ` +
        `It would take ${describeNeed(sheet, minuend, subtrahend.value + row.value)} in place of ${sheet.print(minuend)}, or ` +
        `${describeNeed(sheet, subtrahend, minuend.value - row.value)} in place of ${sheet.print(subtrahend)}.`,
    })
  }
  return {
    name: 'differences',
    asks: 'is a printed difference that of its two cells?',
    checked,
    held: checked - findings.length,
    unchecked: sheet.of('difference').length - checked,
    findings,
  }
}

/** The value that would make the difference right, and whether it could have been measured. */
function describeNeed(sheet: Sheet, row: PublishedRow, value: number): string {
  const unit = sheet.unitOf(row)
  const printed = value.toFixed(digitsOf(unit))
  const trials = trialsOf(sheet, row)
  if (trials === undefined || trials.tasksAreAssumed || trials.seedsAreAssumed || !isCounted(row)) return printed
  const { rounded, cut } = fitCount(Number(printed), trials.count, sheet.full, unit)
  return rounded || cut
    ? `${printed} (${String(Math.round((value * trials.count) / sheet.full))} of ${String(trials.count)})`
    : `${printed} (not a whole number of ${String(trials.count)})`
}

/** The cells of a family by their settings, and the settings' keys that have a value. */
interface Family {
  readonly bySetting: ReadonlyMap<string, PublishedRow>
  readonly keysOf: ReadonlyMap<string, ReadonlySet<string>>
}

function openFamily(cells: readonly PublishedRow[]): Family {
  const bySetting = new Map<string, PublishedRow>()
  const keysOf = new Map<string, Set<string>>()
  for (const cell of cells) {
    const key = settingKey(cell.setting)
    if (!bySetting.has(key)) bySetting.set(key, cell)
    for (const [name, value] of Object.entries(cell.setting)) {
      const names = keysOf.get(value)
      if (names === undefined) keysOf.set(value, new Set([name]))
      else names.add(name)
    }
  }
  return { bySetting, keysOf }
}

/** The maximal length of a difference's setting. */
const maxCharacters = 500

/** The two rows with the settings of the difference, except for one key that is A in the one and B in the other. */
function findPair(
  row: PublishedRow,
  { bySetting, keysOf }: Family,
): { readonly minuend: PublishedRow; readonly subtrahend: PublishedRow } | undefined {
  const { delta = '', ...shared } = row.setting
  if (delta.length > maxCharacters) return undefined
  for (let at = delta.indexOf('-'); at !== -1; at = delta.indexOf('-', at + 1)) {
    const [first, second] = [delta.slice(0, at).trim(), delta.slice(at + 1).trim()]
    for (const key of keysOf.get(first) ?? []) {
      const [minuend, subtrahend] = [first, second].map((value) =>
        bySetting.get(settingKey({ ...shared, [key]: value })),
      )
      if (minuend !== undefined && subtrahend !== undefined) return { minuend, subtrahend }
    }
  }
  return undefined
}
