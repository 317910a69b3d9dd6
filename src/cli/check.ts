import { appendFileSync, existsSync, statSync } from 'node:fs'
import { outcomesOf } from '../results/compare/outcomes.js'
import { describePassUnchanged } from '../results/compare/pass-unchanged.js'
import { hashOf } from '../core/episode.js'
import { createRandom } from '../core/random.js'
import { asWriteError } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import type { CheckableRun } from '../results/gate/baseline.js'
import { describeDrift, makeBaseline } from '../results/gate/baseline.js'
import { readBaseline, writeBaseline } from '../results/gate/baseline-file.js'
import { describeUse } from '../results/summary/identity.js'
import { checkRun } from '../results/gate/check-run.js'
import { checkTables } from '../results/gate/check-table.js'
import type { Check, CheckedCell, Rule } from '../results/gate/check.js'
import { checkJson } from '../results/gate/check.js'
import { settingsOfRun } from '../results/gate/settings.js'
import { annotationsOf, maxSummaryBytes, stepSummaryOf } from '../results/gate/github.js'
import { junitOf } from '../results/gate/junit.js'
import { describeSelfTest, selfTest, selfTestTables } from '../results/gate/self-test.js'
import { nameCell, verdictWords } from '../results/gate/words.js'
import { atTemperatures } from '../run/selection.js'
import type { ReadRun } from '../run/store/read-run.js'
import { playedPart, readRun } from '../run/store/read-run.js'
import { terminalOf } from '../tables/terminal.js'
import type { OptionsOf } from './_flags.js'
import { choice, makeCommand, metrics, runPlace, share, temperaturesFlag, usageError } from './_flags.js'
import { escapeLine, number, print, printData, say, textOf } from './_lines.js'
import { printTables } from './_print-tables.js'
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
  if (self) return checkSelf(checkable(readRun(folder)), rule)
  const run = checkable(atTemperatures(readRun(folder), temperatures))
  if (isUpdate) return updateBaseline(run, baseline!, why!, rule)
  const result = checkRun(run, readBaseline(baseline!), rule)
  await print(checkText(result, process.stdout.columns ?? 120))
  if (process.env['GITHUB_ACTIONS'] === 'true') {
    const lines = annotationsOf(result)
    if (lines.length > 0) await printData(lines.map(escapeLine).join('\n'))
  }
  writeOutputs(result, flags)
  process.exitCode = result.code
}

/** A run as a gate sees it, with what identifies its plan. */
function checkable(run: ReadRun): CheckableRun & { readonly planHash: string } {
  const { plan, rows, notes, folder, writing, stopped, stored, planned } = run
  const outcomes = outcomesOf({ plan, rows, notes }, folder)
  const { dates, cost } = outcomes.served ?? {}
  const played = `${number(stored)} of ${number(planned)} episodes are stored`
  const obstacle =
    writing === true
      ? `The run is still being written (${played}). Check it again when it has ended.`
      : stopped === undefined || stopped === playedPart
        ? undefined // Episodes that were not played are missing measurements, which the gate counts.
        : `The run was stopped before everything was played (${stopped} ${played}). Run the same command again to continue it, then check it again.`
  return {
    outcomes,
    settings: settingsOfRun(plan),
    planHash: hashOf(plan, 12),
    ...(dates && { played: dates.last }),
    ...(cost && { took: describeUse(cost) }),
    ...(obstacle !== undefined && { obstacle }),
  }
}

/** A run of which nothing can be told is no error of the command line. */
function refuse(reason: string, code: number): void {
  say(reason)
  process.exitCode = code
}

/** Measures the gate's own false-alarm rate on a run's repeats. */
async function checkSelf(run: CheckableRun, rule: Rule): Promise<void> {
  if (run.obstacle !== undefined) return refuse(run.obstacle, exits.stopped)
  const result = selfTest(run.outcomes, rule, createRandom('0').fork('splits'))
  const [tables, sentences] = [selfTestTables(result), describeSelfTest(result)]
  await printTables('terminal', { tables, json: result, notes: result.notes, sentences })
}

const lucky =
  'A run chosen as the baseline because it passed is lucky on average: baselines drift upwards, and later runs look worse than they are. Decide before a run whether it will be the baseline.'

async function updateBaseline(
  run: ReturnType<typeof checkable>,
  path: string,
  why: string,
  { minCoverage }: Rule,
): Promise<void> {
  if (why.trim() === '' || why.length > 1000) {
    throw usageError(
      '--why: expected a reason of up to 1,000 characters. Give one, such as --why "new prompt, reviewed in #12".',
    )
  }
  const history = existsSync(path) ? readBaseline(path).history : []
  const made = makeBaseline(run, { plan: run.planHash, why: why.trim(), minCoverage, history })
  if ('refused' in made) return refuse(made.refused.reason, made.refused.code)
  writeBaseline(path, made.baseline)
  const { outcomes, settings } = made.baseline
  const groups = outcomes.cells.length / settings.temperatures.length
  const tasks = outcomes.panels.reduce((sum, panel) => sum + panel.tasks.length, 0)
  const entry = history.length === 0 ? 'the first' : `entry ${number(history.length + 1)}`
  const lines = [
    `Wrote ${path}: ${number(tasks)} tasks, ${number(groups)} cells, ${entry} of its history. Look through its diff and commit it.`,
    ...describeDrift(made.baseline.history),
    history.length > 0 && lucky,
  ]
  await print(textOf(lines))
}

function writeOutputs(result: Check, flags: CheckFlags): void {
  const writers = { junit: junitOf, json: checkJson, summary: stepSummaryOf } as const
  for (const [flag, textOf] of Object.entries(writers)) {
    const path = flags[flag as keyof typeof writers]
    if (path !== undefined) writeWhole(path, textOf(result), `Give --${flag} another path`)
  }
  const { GITHUB_STEP_SUMMARY: step = '' } = process.env
  if (step === '') return
  try {
    const present = existsSync(step) ? statSync(step).size : 0
    appendFileSync(step, stepSummaryOf(result, maxSummaryBytes - present))
  } catch (thrown) {
    throw asWriteError(thrown, step, 'Set GITHUB_STEP_SUMMARY to another file')
  }
}

const maxTasks = 10

/** A check as terminal text: the tables, cells that did not pass or moved, notes, and the verdict last. */
function checkText(check: Check, width: number): string {
  const { cells, notes, verdict, code, reasons, judged, rule } = check
  const moved = cells.filter((cell) => cell.verdict !== 'pass' || cell.moved !== undefined)
  const parts = [
    moved.flatMap(describeCell),
    notes.map((note) => `note: ${note}`),
    judged === 0 ? [] : [describePassUnchanged(check.passUnchanged, judged, rule.margin)],
    [`${verdictWords[verdict]} (exit code ${String(code)}): ${reasons.join(' ')}`],
  ]
  const paragraphs = parts.filter(({ length }) => length > 0).map((lines) => `${lines.map(escapeLine).join('\n')}\n`)
  return [terminalOf(checkTables(check), width), ...paragraphs].join('\n')
}

/** Verdict and reason of a cell, and the tasks that it lost. */
function describeCell({ tasks, verdict, reason, ...cell }: CheckedCell): string[] {
  const states = verdict === 'fail' ? ['lost', 'broken'] : ['broken']
  const matchingTasks = tasks.filter(({ state }) => states.includes(state))
  const shown = matchingTasks.slice(0, maxTasks).map(({ id, state, baseline, run }) => {
    const [before, after] = [baseline, run].map(({ successes, measured }) => `${String(successes)}/${String(measured)}`)
    return `  ${state} ${id}: ${before!} → ${after!}`
  })
  const left = matchingTasks.length - shown.length
  return [`${nameCell(cell)}: ${verdict}. ${reason}`, ...shown, ...(left > 0 ? [`  … and ${String(left)} more`] : [])]
}
