import { plainText } from '../tables/plain.js'
import type { Check, CheckedCell, CheckedTask, TaskScore } from './check.js'
import { nameCell } from './words.js'

type Result = { readonly kind: 'pass' } | { readonly kind: 'failure' | 'error' | 'skipped'; readonly message: string }

interface Case {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly result: Result
}

/**
 * A check as JUnit's XML: a suite for each cell, in it a case for the gate itself and one for each task. A task is a
 * failure only where it was lost and its cell failed, an error where its episodes broke, and skipped where it is
 * unknown or out of the gate. Times are 0, so that equal checks give equal bytes.
 */
export function junitOf(check: Check): string {
  const suites = check.cells.map((cell) => ({
    name: nameCell(cell),
    cases: [gateCase(cell), ...cell.tasks.map((task) => taskCase(cell, task))],
  }))
  const all = suites.flatMap(({ cases }) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="shaketable check"${countsOf(all)}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${xmlText(name)}"${countsOf(cases)}>`,
      ...cases.flatMap((one) => caseLines(one, name)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function gateCase({ verdict, reason, difference, power, pairs, planned }: CheckedCell): Case {
  const figures = {
    change: difference?.estimate,
    low: difference?.interval.low,
    high: difference?.interval.high,
    passUnchanged: power?.passUnchanged,
    failAtTwice: power?.failAtTwice,
    detectable: power?.detectable,
  }
  const known = Object.entries(figures).flatMap(([name, figure]) =>
    figure === undefined ? [] : [[name, String(figure)] as const],
  )
  const skipped = { kind: 'skipped', message: `${verdict}: ${reason}` } as const
  const results: Readonly<Record<CheckedCell['verdict'], Result>> = {
    pass: { kind: 'pass' },
    fail: { kind: 'failure', message: reason },
    broken: { kind: 'error', message: reason },
    inconclusive: skipped,
    unknown: skipped,
  }
  const properties = { verdict, pairs: `${String(pairs)}/${String(planned)}`, ...Object.fromEntries(known) }
  return { name: 'gate', properties, result: results[verdict] }
}

function taskCase(cell: CheckedCell, task: CheckedTask): Case {
  const { id, state, baseline, run, errors } = task
  const properties = { state, baseline: trialsOf(baseline), run: trialsOf(run) }
  return {
    name: id,
    properties: errors > 0 ? { ...properties, errors: String(errors) } : properties,
    result: resultOfTask(cell, task),
  }
}

function resultOfTask({ verdict, reason }: CheckedCell, { state, baseline, run, errors }: CheckedTask): Result {
  if (state === 'broken')
    return { kind: 'error', message: `${String(errors)} episodes ended in an error, none was measured` }
  if (state === 'quarantined') return { kind: 'skipped', message: 'in quarantine' }
  if (state === 'unchanged') return { kind: 'skipped', message: 'the perturbation changed nothing' }
  if (state === 'unknown') return { kind: 'skipped', message: 'unknown: not measured on both sides' }
  if (verdict === 'unknown' || verdict === 'broken') return { kind: 'skipped', message: `not judged: ${reason}` }
  if (state !== 'lost' || verdict !== 'fail') return { kind: 'pass' }
  return { kind: 'failure', message: `solved in ${trialsOf(baseline)} of the baseline, now in ${trialsOf(run)}` }
}

/** Successes of measurements, and the mean progress where that is not 1. */
function trialsOf({ measured, successes, progress }: TaskScore): string {
  const further = progress === undefined || progress === 1 ? '' : `, progress ${progress.toFixed(3)}`
  return `${String(successes)}/${String(measured)}${further}`
}

function countsOf(cases: readonly Case[]): string {
  const count = (wanted: Result['kind']): string => String(cases.filter(({ result }) => result.kind === wanted).length)
  return ` tests="${String(cases.length)}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="0"`
}

function caseLines({ name, properties, result }: Case, suite: string): string[] {
  return [
    `    <testcase classname="${xmlText(suite)}" name="${xmlText(name)}" time="0">`,
    '      <properties>',
    ...Object.entries(properties).map(
      ([property, value]) => `        <property name="${xmlText(property)}" value="${xmlText(value)}"/>`,
    ),
    '      </properties>',
    ...(result.kind === 'pass' ? [] : [`      <${result.kind} message="${xmlText(result.message)}"/>`]),
    '    </testcase>',
  ]
}

/** Text for XML and its attributes, without characters that XML does not allow or that control a terminal. */
function xmlText(text: string): string {
  return plainText(text)
    .replace(/[\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
}
