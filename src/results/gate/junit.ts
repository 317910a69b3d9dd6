import { plainText } from '../../tables/plain.js'
import type { Check, CheckedCell, CheckedTask, TaskScore } from './check.js'
import { nameCell } from './words.js'

interface Case {
  readonly name: string
  readonly kind: 'pass' | 'failure' | 'error' | 'skipped'
  readonly message: string
}

const cellKinds = {
  pass: 'pass',
  fail: 'failure',
  broken: 'error',
  inconclusive: 'skipped',
  unknown: 'skipped',
} as const

/**
 * A check as JUnit's XML: a suite for each cell, in it a case for the gate itself and one for each task. A task is a
 * failure only where it was lost and its cell failed, an error where its episodes broke, and skipped where it is
 * unknown or out of the gate. Times are 0, so that equal checks give equal bytes.
 */
export function junitOf(check: Check): string {
  const suites = check.cells.map((cell) => ({
    name: nameCell(cell),
    cases: [
      { name: 'gate', kind: cellKinds[cell.verdict], message: `${cell.verdict}: ${cell.reason}` },
      ...cell.tasks.map((task) => taskCase(cell, task)),
    ],
  }))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="shaketable check"${countsOf(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${xmlText(name)}"${countsOf(cases)}>`,
      ...cases.map((one) => caseLine(one, name)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function taskCase({ verdict, reason }: CheckedCell, { id: name, state, baseline, run, errors }: CheckedTask): Case {
  const skip = (message: string): Case => ({ name, kind: 'skipped', message })
  if (state === 'broken')
    return { name, kind: 'error', message: `${String(errors)} episodes ended in an error, none was measured` }
  if (state === 'unchanged') return skip('the perturbation changed nothing')
  if (state === 'unknown') return skip('unknown: not measured on both sides')
  if (verdict === 'unknown' || verdict === 'broken') return skip(`not judged: ${reason}`)
  if (state !== 'lost' || verdict !== 'fail') return { name, kind: 'pass', message: '' }
  return {
    name,
    kind: 'failure',
    message: `solved in ${trialsOf(baseline)} of the baseline, now in ${trialsOf(run)}`,
  }
}

/** Successes of measurements, and the mean progress where that is not 1. */
function trialsOf({ measured, successes, progress }: TaskScore): string {
  const further = progress === undefined || progress === 1 ? '' : `, progress ${progress.toFixed(3)}`
  return `${String(successes)}/${String(measured)}${further}`
}

function countsOf(cases: readonly Case[]): string {
  const count = (wanted: Case['kind']): string => String(cases.filter(({ kind }) => kind === wanted).length)
  return ` tests="${String(cases.length)}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="0"`
}

function caseLine({ name, kind, message }: Case, suite: string): string {
  const head = `    <testcase classname="${xmlText(suite)}" name="${xmlText(name)}" time="0"`
  return kind === 'pass' ? `${head}/>` : `${head}><${kind} message="${xmlText(message)}"/></testcase>`
}

const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** Text for XML and its attributes, without characters that XML does not allow or that control a terminal. */
function xmlText(text: string): string {
  return plainText(text)
    .replace(/[\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (sign) => `&${entities[sign]!};`)
}
