import { appendFileSync, existsSync, statSync } from 'node:fs'
import { type Outcomes, outcomesOf } from '../results/compare/outcomes.js'
import { hashOf } from '../core/episode.js'
import { createRandom } from '../core/random.js'
import { whileWriting } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import { describeDrift, findGap, makeBaseline } from '../results/gate/baseline.js'
import { readBaseline, writeBaseline } from '../results/gate/baseline-file.js'
import { checkRun } from '../results/gate/check-run.js'
import type { Check } from '../results/gate/check.js'
import { checkTables, describeCells, describeResult, verdictWords } from '../results/gate/describe-check.js'
import { annotationsOf, junitOf } from '../results/gate/formats.js'
import { describeSelfTest, selfTest } from '../results/gate/self-test.js'
import { atTemperatures } from '../run/selection.js'
import { type ReadRun, playedPart, readRun } from '../run/store/read-run.js'
import type { OptionsOf } from './_flags.js'
import { choice, makeCommand, metrics, runPlace, share, temperaturesFlag, usageError } from './_flags.js'
import { escapeLine, number, print, printData, say, textOf } from './_lines.js'
import { markdownPage, terminalPage } from './_print-tables.js'
import { exits } from './_signals.js'

const flags = [
  share('--margin <share>', 'largest tolerated drop, such as 0.05 for 5 points', 0.001, 0.999, 0.05),
  choice('--metric <name>', 'what is checked', metrics, 'success'),
  share('--alpha <share>', 'tolerated probability of a false alarm or pass', 0.001, 0.499, 0.05),
  share('--min-coverage <share>', "smallest share of a cell's episodes that must be measured, on each side", 0, 1, 0.9),
  ['--baseline <file>', 'the baseline, such as baselines/household.json'],
  ['--self', "measure the gate's own false alarms: check one half of the run's repeats against the other, many times"],
  temperaturesFlag,
  ['--junit <file>', 'write the result as JUnit XML'],
  ['--json <file>', 'write the result as JSON'],
  ['--summary <file>', 'write the result as Markdown; it is also appended to $GITHUB_STEP_SUMMARY if that is set'],
  ['--update-baseline', 'make the run the baseline'],
  ['--why <text>', 'the reason for the new baseline; kept in the file'],
] as const

const outputs = ['--temperatures', '--junit', '--json', '--summary']

type CheckFlags = OptionsOf<typeof flags>

/** `shaketable check`: gates a run on a baseline, or makes it the baseline. */
export const checkCommand = () =>
  makeCommand({
    places: [runPlace],
    flags,
    rules: [
      ['--baseline', 'or', '--self'],
      ['--self', 'excludes', '--baseline', ...outputs],
      ['--update-baseline', 'excludes', ...outputs],
      ['--update-baseline', 'needs', '--why'],
      ['--why', 'needs', '--update-baseline'],
    ],
    below:
      'Exit codes: 0 pass, 1 regression, 2 usage or different tasks, 3 inconclusive or incomplete, 4 the run is broken or was stopped.',
    run: check,
  })

async function check(folder: string, flags: CheckFlags): Promise<void> {
  const { margin, metric, alpha, minCoverage, baseline, self, updateBaseline: isUpdate, why, temperatures } = flags
  const rule = { metric, margin, alpha, minCoverage }
  const run = atTemperatures(readRun(folder), temperatures)
  // Episodes that were not played are missing measurements, which the gate counts.
  const outcomes = outcomesOf({ plan: run.plan, rows: run.rows, notes: run.notes }, folder)
  const obstacle = describeObstacle(run)
  if (self) {
    if (obstacle !== undefined) return refuse(obstacle, exits.stopped)
    const sentences = describeSelfTest(selfTest(outcomes, rule, createRandom('0').fork('splits')))
    return print(terminalPage({ tables: [], notes: outcomes.notes, sentences }))
  }
  if (isUpdate) {
    const gap = obstacle === undefined ? findGap(outcomes, minCoverage) : `${obstacle} It cannot be a baseline.`
    if (gap !== undefined) return refuse(gap, obstacle === undefined ? 3 : exits.stopped)
    return updateBaseline(outcomes, hashOf(run.plan, 12), baseline!, why!)
  }
  const result = checkRun(outcomes, readBaseline(baseline!), rule, obstacle)
  await print(terminalPage(pageOf(result)))
  if (process.env['GITHUB_ACTIONS'] === 'true') {
    const lines = annotationsOf(result)
    if (lines.length > 0) await printData(lines.map(escapeLine).join('\n'))
  }
  writeOutputs(result, flags)
  process.exitCode = result.code
}

/** Why a run is not whole, so that nothing is judged. */
function describeObstacle({ writing, stopped, stored, planned }: ReadRun): string | undefined {
  const played = `${number(stored)} of ${number(planned)} episodes are stored`
  if (writing) return `The run is still being written (${played}). Check it again when it has ended.`
  if (stopped === undefined || stopped === playedPart) return undefined
  return `The run was stopped before everything was played (${stopped} ${played}). Run the same command again to continue it, then check it again.`
}

/** A run of which nothing can be told is no error of the command line. */
function refuse(reason: string, code: number): void {
  say(reason)
  process.exitCode = code
}

const lucky =
  'A run chosen as the baseline because it passed is lucky on average: baselines drift upwards, and later runs look worse than they are. Decide before a run whether it will be the baseline.'

async function updateBaseline(outcomes: Outcomes, plan: string, path: string, why: string): Promise<void> {
  if (why.trim() === '' || why.length > 1000) {
    throw usageError(
      '--why: expected a reason of up to 1,000 characters. Give one, such as --why "new prompt, reviewed in #12".',
    )
  }
  const history = existsSync(path) ? readBaseline(path).history : []
  const made = makeBaseline(outcomes, { plan, why: why.trim(), history })
  writeBaseline(path, made)

  const tasks = outcomes.panels.reduce((sum, panel) => sum + panel.tasks.length, 0)
  const entry = history.length === 0 ? 'the first' : `entry ${number(history.length + 1)}`
  const lines = [
    `Wrote ${path}: ${number(tasks)} tasks, ${number(outcomes.cells.length)} cells, ${entry} of its history. Look through its diff and commit it.`,
    ...describeDrift(made.history),
    history.length > 0 && lucky,
  ]
  await print(textOf(lines))
}

function pageOf(result: Check) {
  return {
    tables: checkTables(result),
    sentences: describeResult(result),
    details: describeCells(result),
    notes: result.notes,
  }
}

/** GitHub drops a step's summary above 1 MiB entirely. */
const maxSummaryBytes = 1_000_000

/** A check as a step summary in Markdown; without its tables and cells where it would be longer than `maxBytes`. */
export function summaryOf(result: Check, maxBytes = maxSummaryBytes): string {
  const title = `# shaketable check: ${verdictWords[result.verdict]}\n\n`
  const whole = `${title}${markdownPage(pageOf(result))}`
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  const notes = ['The tables are left out: GitHub drops a step summary above 1 MiB. The log of the step has them.']
  return `${title}${markdownPage({ tables: [], sentences: describeResult(result), notes })}`
}

function writeOutputs(result: Check, { junit, json, summary }: CheckFlags): void {
  const write = (path: string | undefined, flag: string, text: string): void => {
    if (path !== undefined) writeWhole(path, text, `Give ${flag} another path`)
  }
  write(junit, '--junit', junitOf(result))
  write(json, '--json', `${JSON.stringify(result, undefined, 1)}\n`)
  write(summary, '--summary', summaryOf(result))
  const { GITHUB_STEP_SUMMARY: step = '' } = process.env
  if (step === '') return
  whileWriting(step, 'Set GITHUB_STEP_SUMMARY to another file', () =>
    appendFileSync(step, summaryOf(result, maxSummaryBytes - (existsSync(step) ? statSync(step).size : 0))),
  )
}
