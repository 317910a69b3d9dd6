import { plainText } from '../../tables/plain.js'
import type { Check, CheckedCell, CheckedTask } from './check.js'
import { nameCheckedCell, verdictWords } from './describe-check.js'

const severities = ['error', 'warning', 'notice'] as const

/** GitHub shows ten annotations of a kind for a step and drops the rest silently. */
const maxAnnotations = 9

/** A check as GitHub's workflow commands, a line each: the nine most serious, and how many more there are. */
export function annotationsOf({ cells, verdict, reasons }: Check): string[] {
  const title = 'shaketable check'
  const ofCells = cells.map((cell) => ({
    ...{ severity: severityOf(cell), title: nameCheckedCell(cell), message: cell.reason },
  }))
  const isTold = ofCells.some(({ severity }) => severity !== undefined) || verdict === 'pass'
  const whole = { severity: verdict === 'broken' ? 'error' : 'warning', title, message: reasons.join(' ') } as const
  const all = isTold ? ofCells : [whole]
  const sorted = severities.flatMap((severity) => all.filter((annotation) => annotation.severity === severity))
  const left = sorted.splice(maxAnnotations)
  if (left.length > 0) sorted.push({ ...left[0]!, title, message: `… and ${String(left.length)} more` })
  const escape = (text: string, signs: RegExp): string => text.replace(signs, (sign) => encodeURIComponent(sign))
  return sorted.map(
    ({ severity, title, message }) =>
      `::${severity!} title=${escape(title, /[%\r\n:,]/g)}::${escape(message, /[%\r\n]/g)}`,
  )
}

function severityOf({ verdict, cause, moved }: CheckedCell): (typeof severities)[number] | undefined {
  if (verdict === 'pass') return moved && 'notice'
  if (verdict === 'unknown' && cause === 'unchanged') return undefined
  if (verdict === 'unknown' && cause === 'new') return 'notice'
  return verdict === 'fail' || verdict === 'broken' ? 'error' : 'warning'
}

interface Case {
  readonly name: string
  readonly kind: 'pass' | 'failure' | 'error' | 'skipped'
  readonly message: string
}

const kindOf = { pass: 'pass', fail: 'failure', broken: 'error', inconclusive: 'skipped', unknown: 'skipped' } as const

/**
 * A check as JUnit's XML: a suite for each cell, in it a case for the gate itself and one for each task. A task is a
 * failure only where it was lost and its cell failed, an error where its episodes broke, and skipped where it is
 * unknown or out of the gate. Without a cell, one case has the verdict. Times are 0, so that equal checks give equal
 * bytes.
 */
export function junitOf({ cells, verdict, reasons }: Check): string {
  const gate = (kind: CheckedCell['verdict'], reason: string): Case => ({
    name: 'gate',
    kind: kindOf[kind],
    message: `${kind}: ${reason}`,
  })
  const suites = cells.map((cell) => ({
    name: nameCheckedCell(cell),
    cases: [gate(cell.verdict, cell.reason), ...cell.tasks.map((task) => taskCase(cell, task))],
  }))
  if (suites.length === 0) suites.push({ name: verdictWords[verdict], cases: [gate(verdict, reasons.join(' '))] })
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

function taskCase({ verdict, reason }: CheckedCell, { id: name, state, baseline, run }: CheckedTask): Case {
  const skip = (message: string): Case => ({ name, kind: 'skipped', message })
  if (state === 'broken') return { name, kind: 'error', message: 'its episodes ended in an error, none was measured' }
  if (state === 'unchanged') return skip('the perturbation changed nothing')
  if (state === 'unknown') return skip('unknown: not measured on both sides')
  if (verdict === 'unknown' || verdict === 'broken') return skip(`not judged: ${reason}`)
  if (state !== 'lost' || verdict !== 'fail') return { name, kind: 'pass', message: '' }
  const [before, after] = [baseline, run].map((side) => `${String(side.successes)}/${String(side.measured)}`)
  return { name, kind: 'failure', message: `solved in ${before!} of the baseline, now in ${after!}` }
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
