import { appendFileSync, existsSync, statSync } from 'node:fs'
import { Command } from 'commander'
import { shortList } from '../compare/align-panels.js'
import { outcomesOf } from '../compare/outcomes-of.js'
import { describePassUnchanged } from '../compare/pass-unchanged.js'
import { hashOf } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import { asWriteError } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import type { CheckableRun } from '../gate/baseline.js'
import { describeDrift, makeBaseline } from '../gate/baseline.js'
import { checkRun } from '../gate/check-run.js'
import { checkTables } from '../gate/check-table.js'
import type { Check, CheckedCell, CheckedTask, Rule, TaskState } from '../gate/check.js'
import { checkJson } from '../gate/check.js'
import { conditionsOf } from '../gate/conditions.js'
import { annotationsOf, maxSummaryBytes, stepSummaryOf } from '../gate/github.js'
import { junitOf } from '../gate/junit.js'
import { readQuarantine } from '../gate/quarantine.js'
import { readBaseline } from '../gate/read-baseline.js'
import { nameCell, verdictWords } from '../gate/words.js'
import { writeBaseline } from '../gate/write-baseline.js'
import type { ReadRun } from '../run/store/read-run.js'
import { atTemperatures } from '../run/selection.js'
import { playedPart, readRun } from '../run/store/read-run.js'
import { spendAlpha } from '../statistics/gate-planning.js'
import { terminalOf } from '../tables/terminal.js'
import type { SelfFlags } from './_check-self.js'
import { checkSelf } from './_check-self.js'
import { escapeControls, escapeLine, number, print, printData, say } from './_lines.js'
import type { Metric } from './_flags.js'
import { choice, metrics, readWhole, share, temperaturesFlag, whole } from './_flags.js'

/** The flags of a gate's rule. */
interface RuleFlags {
  readonly margin: number
  readonly metric: Metric
  readonly alpha: number
  readonly minCoverage: number
  readonly strict?: true
  readonly correction: Rule['correction']
}

interface CheckFlags extends RuleFlags, SelfFlags {
  readonly self?: true
  readonly quarantine?: string
  readonly looks?: number
  readonly look?: string
  readonly junit?: string
  readonly json?: string
  readonly summary?: string
  readonly annotations?: true
  readonly updateBaseline?: true
  readonly temperatures?: readonly string[]
  readonly why?: string
}

/** `shaketable check`: gates a run on a baseline, or makes it the baseline. */
export function checkCommand(): Command {
  return withRuleOptions(new Command('check'))
    .description(
      'Checks a run against a baseline: did anything get worse by more than a margin? Each cell (environment × model × agent × column, over the tasks and temperatures that both have) passes, fails or is inconclusive.',
    )
    .argument('<run>', "a run's folder")
    .option('--baseline <file>', 'the baseline, such as baselines/household.json')
    .option(
      '--self',
      "measure the gate's own false-alarm rate instead: split the repeats (seeds) of the run into two halves, many times, and check one half against the other in the same way",
    )
    .option(...whole('--splits <n>', 'with --self, the number of splits; all possible ones if fewer', 1, 10_000))
    .option('--seed <text>', 'with --self, the seed of the splits')
    .option(...whole('--looks <n>', 'planned number of checks of growing data, decided before the first', 1, 20))
    .option('--look <n>', 'the number of this check among them (default: 1)')
    .option('--quarantine <file>', 'task ids, one a line, that stay in the tables but do not enter the verdict')
    .option(...temperaturesFlag)
    .option('--junit <file>', 'write the result as JUnit XML')
    .option('--json <file>', 'write the result as JSON')
    .option(
      '--summary <file>',
      'write the result as Markdown; it is also appended to $GITHUB_STEP_SUMMARY if that is set',
    )
    .option('--annotations', 'print GitHub annotations (default: only if GITHUB_ACTIONS is true)')
    .option('--update-baseline', 'make the run the baseline')
    .option('--why <text>', 'the reason for the new baseline; kept in the file')
    .addHelpText(
      'after',
      '\nExit codes: 0 pass, 1 regression, 2 usage or different tasks, 3 inconclusive or incomplete, 4 the run is broken or was stopped.',
    )
    .action(check)
}

/** Adds the options of a gate's rule to a command. */
function withRuleOptions(command: Command): Command {
  return command
    .option(
      ...share('--margin <share>', 'largest tolerated drop, such as 0.05 for 5 points', { above: 0, below: 1 }, 0.05),
    )
    .option(...choice('--metric <name>', 'what is checked', metrics, 'success'))
    .option(
      ...share('--alpha <share>', 'tolerated probability of a false alarm or pass', { above: 0, below: 0.5 }, 0.05),
    )
    .option(
      ...share(
        '--min-coverage <share>',
        "smallest share of a cell's episodes that must be measured, in the run and in the baseline",
        {},
        0.9,
      ),
    )
    .option('--strict', 'fail only what is significantly below the margin')
    .option(...choice('--correction <name>', 'correction over all cells', ['holm', 'none'], 'holm'))
}

/** The rule of a gate from its flags. */
function readRule({ metric, margin, alpha, minCoverage, strict, correction }: RuleFlags): Rule {
  return { metric, margin, alpha, minCoverage, strict: strict === true, correction }
}

/**
 * The rule at one of several planned looks, which share its alpha.
 * @throws ShaketableError `usage` for a look that was not planned
 */
function takeLook(rule: Rule, flags: Pick<CheckFlags, 'looks' | 'look'>): Rule {
  if (flags.looks === undefined) {
    if (flags.look === undefined) return rule
    throw new ShaketableError('usage', '--look: expected --looks with it, the planned number of checks. Give both.')
  }
  const planned = flags.looks
  const look = readWhole('--look', flags.look ?? '1', 1, planned)
  const { alpha } = rule
  return { ...rule, alpha: spendAlpha(alpha, planned)[look - 1]!, looks: { look, planned, alpha } }
}

async function check(folder: string, flags: CheckFlags): Promise<void> {
  refuseOutputs(flags, '--self', ['updateBaseline', 'why'])
  if (flags.self) return checkSelf(checkable(readRun(folder)), readRule(flags), flags)
  const path = flags.baseline
  if (path === undefined) {
    throw new ShaketableError(
      'usage',
      '--baseline: expected a file such as baselines/household.json, got none. Give it, or --self for a check of the gate itself.',
    )
  }
  if ((flags.splits ?? flags.seed) !== undefined) {
    throw new ShaketableError('usage', '--splits, --seed: expected --self beside them, got none. Give it, or neither.')
  }
  const rule = takeLook(readRule(flags), flags)
  if (flags.why !== undefined && !flags.updateBaseline) {
    throw new ShaketableError('usage', '--why: expected --update-baseline with it. Give both, or neither.')
  }
  refuseOutputs(flags, '--update-baseline')
  const run = atTemperatures(readRun(folder), flags.temperatures)
  if (flags.updateBaseline) return updateBaseline(run, path, flags.why, rule)
  const quarantine = flags.quarantine === undefined ? undefined : readQuarantine(flags.quarantine)
  const result = checkRun(checkable(run), readBaseline(path), rule, quarantine)
  await print(checkText(result, process.stdout.columns ?? 120))
  if (flags.annotations || process.env['GITHUB_ACTIONS'] === 'true') {
    const lines = annotationsOf(result)
    if (lines.length > 0) await printData(lines.map(escapeLine).join('\n'))
  }
  writeOutputs(result, flags)
  process.exitCode = result.code
}

/** Making a baseline, or a check of the gate itself, checks no run, so there is no result to write. */
function refuseOutputs(
  flags: CheckFlags,
  instead: '--self' | '--update-baseline',
  more: readonly (keyof CheckFlags)[] = [],
): void {
  if (!(instead === '--self' ? flags.self : flags.updateBaseline)) return
  const given = (
    ['quarantine', 'looks', 'look', 'temperatures', 'junit', 'json', 'summary', 'annotations', ...more] as const
  ).find((name) => flags[name] !== undefined)
  if (given === undefined) return
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new ShaketableError(
    'usage',
    instead === '--self'
      ? `--${flag}: expected no --self beside it, which checks the gate and not the run. Leave one of them out.`
      : `--${flag}: expected no --update-baseline beside it, since making a baseline checks nothing. Make the baseline first, then check against it.`,
  )
}

/** A run as a gate sees it. */
export function checkable(run: ReadRun): CheckableRun {
  const { plan, rows, notes, folder, writing, stopped, stored, planned } = run
  const played = `${number(stored)} of ${number(planned)} episodes are stored`
  const obstacle =
    writing === true
      ? `The run is still being written (${played}). Check it again when it has ended.`
      : stopped === undefined || stopped === playedPart
        ? undefined // Episodes that were not played are missing measurements, which the gate counts.
        : `The run was stopped before everything was played (${stopped} ${played}). Run the same command again to continue it, then check it again.`
  return {
    outcomes: outcomesOf({ plan, rows, notes }, folder),
    conditions: conditionsOf(plan),
    ...(obstacle !== undefined && { obstacle }),
  }
}

async function updateBaseline(run: ReadRun, path: string, why: string | undefined, rule: Rule): Promise<void> {
  if (why === undefined || why.trim() === '') {
    throw new ShaketableError(
      'usage',
      '--update-baseline: expected a reason beside it, got none. Give one, such as --why "new prompt, reviewed in #12".',
    )
  }
  if (why.length > 1000) {
    throw new ShaketableError(
      'usage',
      `--why: expected at most 1,000 characters, got ${number(why.length)}. Shorten it.`,
    )
  }
  const history = existsSync(path) ? readBaseline(path).history : []
  const made = makeBaseline(checkable(run), {
    plan: hashOf(run.plan, 12),
    why: why.trim(),
    minCoverage: rule.minCoverage,
    history,
  })
  if ('refused' in made) {
    say(made.refused.reason)
    process.exitCode = made.refused.code
    return
  }
  writeBaseline(path, made.baseline)
  const { panels, cells } = made.baseline.outcomes
  const groups = cells.length / made.baseline.conditions.temperatures.length
  const tasks = panels.reduce((sum, panel) => sum + panel.tasks.length, 0)
  await print(
    escapeControls(
      [
        `Wrote ${path}: ${number(tasks)} tasks, ${number(groups)} cells, ${history.length === 0 ? 'the first of its history' : `entry ${number(history.length + 1)} of its history`}. Look through its diff and commit it.`,
        ...describeDrift(made.baseline.history),
        ...(history.length === 0
          ? []
          : [
              'A run chosen as the baseline because it passed is lucky on average: baselines drift upwards, and later runs look worse than they are. Decide before a run whether it will be the baseline.',
            ]),
      ].join('\n'),
    ),
  )
}

function writeOutputs(result: Check, { junit, json, summary }: CheckFlags): void {
  if (junit !== undefined) writeWhole(junit, junitOf(result), 'Give --junit another path')
  if (json !== undefined) writeWhole(json, checkJson(result), 'Give --json another path')
  if (summary !== undefined) writeWhole(summary, stepSummaryOf(result), 'Give --summary another path')
  const step = process.env['GITHUB_STEP_SUMMARY']
  if (step === undefined || step === '') return
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
  const { cells, notes, verdict, code, reasons } = check
  const details = describeCells(cells.filter((cell) => cell.verdict !== 'pass' || cell.moved !== undefined))
  return [
    terminalOf(checkTables(check), width),
    ...(details.length === 0 ? [] : [`${details.join('\n')}\n`]),
    ...(notes.length === 0 ? [] : [`${notes.map((note) => escapeLine(`note: ${note}`)).join('\n')}\n`]),
    ...(check.judged === 0 ? [] : [`${describePassUnchanged(check.passUnchanged, check.judged, check.rule.margin)}\n`]),
    `${escapeLine(`${verdictWords[verdict]} (exit code ${String(code)}): ${reasons.join(' ')}`)}\n`,
  ].join('\n')
}

/** Verdict, reason and tasks of cells; cells with the same verdict and reason share a line. */
function describeCells(cells: readonly CheckedCell[]): string[] {
  const groups = new Map<string, CheckedCell[]>()
  for (const cell of cells) {
    const words = `${cell.verdict}. ${cell.reason}`
    groups.set(words, [...(groups.get(words) ?? []), cell])
  }
  return [...groups].flatMap(([words, alike]) => [
    escapeLine(`${shortList(alike.map(nameCell), 4)}: ${words}`),
    ...alike.flatMap(({ verdict, tasks }) =>
      (verdict === 'fail' ? (['lost', 'broken'] as const) : (['broken'] as const)).flatMap((state) =>
        listTasks(tasks, state),
      ),
    ),
  ])
}

function listTasks(tasks: readonly CheckedTask[], wanted: TaskState): string[] {
  const found = tasks.filter(({ state }) => state === wanted)
  const shown = found.slice(0, maxTasks).map(({ id, baseline, run }) => {
    const [before, after] = [baseline, run].map(({ successes, measured }) => `${String(successes)}/${String(measured)}`)
    return escapeLine(`  ${wanted} ${id}: ${before!} → ${after!}`)
  })
  const left = found.length - shown.length
  return left === 0 ? shown : [...shown, `  … and ${String(left)} more ${wanted}`]
}
