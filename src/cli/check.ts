import { appendFileSync, existsSync, statSync } from 'node:fs'
import { Command } from 'commander'
import { shortList } from '../compare/align-panels.js'
import { outcomesOf } from '../compare/outcomes-of.js'
import { hashOf } from '../core/episode.js'
import { ShaketableError, unknownName } from '../core/errors.js'
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
import { readRun } from '../run/store/read-run.js'
import { spendAlpha } from '../statistics/gate-planning.js'
import { terminalOf } from '../tables/terminal.js'
import { harmless, harmlessLine, number, print, printData, say } from './_lines.js'
import { readShare, readWhole } from './_flags.js'

/** The flags that say how a gate judges. */
export interface RuleFlags {
  readonly margin: string
  readonly metric: string
  readonly alpha: string
  readonly minCoverage: string
  readonly strict?: true
  readonly correction: string
}

interface CheckFlags extends RuleFlags {
  readonly baseline?: string
  readonly quarantine?: string
  readonly looks?: string
  readonly look?: string
  readonly junit?: string
  readonly json?: string
  readonly summary?: string
  readonly annotations?: true
  readonly updateBaseline?: true
  readonly why?: string
}

/** `shaketable check`: gates a run on a baseline, or makes it the baseline. */
export function checkCommand(): Command {
  return withRuleOptions(new Command('check'))
    .description(
      'Checks a run against a baseline: did anything get worse by more than a margin? Each cell (environment × model × agent × column, over all tasks and temperatures that both have) passes, fails or is inconclusive.',
    )
    .argument('<run>', "a run's folder")
    .requiredOption('--baseline <file>', 'the baseline, such as baselines/household.json')
    .option('--looks <n>', 'how often growing data are to be checked in all, decided before the first look')
    .option('--look <n>', 'which of these looks it is (default: 1)')
    .option('--quarantine <file>', 'tasks, an id a line, that stay in the tables but out of the verdict')
    .option('--junit <file>', 'write the result as JUnit XML')
    .option('--json <file>', 'write the result as JSON')
    .option('--summary <file>', 'write the result as Markdown; $GITHUB_STEP_SUMMARY is appended to where it is set')
    .option('--annotations', "print GitHub's annotations; on by itself where GITHUB_ACTIONS is true")
    .option('--update-baseline', 'make the run the baseline')
    .option('--why <text>', 'why the baseline is as it is; kept in the file')
    .addHelpText(
      'after',
      '\nExit codes: 0 pass, 1 regression, 2 usage or another panel, 3 inconclusive or not all there, 4 the run is broken or was stopped.',
    )
    .action(check)
}

/** The options that a gate's rule is read from. */
export function withRuleOptions(command: Command): Command {
  return command
    .option('--margin <share>', 'the largest drop that is tolerated, such as 0.05 for 5 points', '0.05')
    .option('--metric <name>', `what is checked: ${metrics.join(' or ')}`, 'success')
    .option('--alpha <share>', 'the probability of a false alarm, and of a false pass, that is tolerated', '0.05')
    .option(
      '--min-coverage <share>',
      "the least share of a cell's episodes that must be measured, in the run and in the baseline",
      '0.9',
    )
    .option('--strict', 'fail only what is significantly below the margin')
    .option('--correction <name>', `over all cells: ${corrections.join(' or ')}`, 'holm')
}

const metrics = ['success', 'progress'] as const
const corrections = ['holm', 'none'] as const

/** @throws ShaketableError `usage` for an option that is not one of its values. */
export function readRule(flags: RuleFlags): Rule {
  return {
    metric: oneOf('--metric', flags.metric, metrics),
    margin: readShare('--margin', flags.margin, { above: 0, below: 1 }),
    alpha: readShare('--alpha', flags.alpha, { above: 0, below: 0.5 }),
    minCoverage: readShare('--min-coverage', flags.minCoverage, { from: 0, to: 1 }),
    strict: flags.strict === true,
    correction: oneOf('--correction', flags.correction, corrections),
  }
}

/**
 * The rule at one of several looks, which share its alpha. @throws ShaketableError `usage` for a look that was not
 * planned
 */
function takeLook(rule: Rule, flags: Pick<CheckFlags, 'looks' | 'look'>): Rule {
  if (flags.looks === undefined) {
    if (flags.look === undefined) return rule
    throw new ShaketableError('usage', '--look: expected --looks with it, which says how many were planned. Give both.')
  }
  const planned = readWhole('--looks', flags.looks, 1, 20)
  const look = readWhole('--look', flags.look ?? '1', 1, planned)
  const { alpha } = rule
  return { ...rule, alpha: spendAlpha(alpha, planned)[look - 1]!, looks: { look, planned, alpha } }
}

function oneOf<Name extends string>(flag: string, name: string, known: readonly Name[]): Name {
  const found = known.find((one) => one === name)
  if (found === undefined) throw new ShaketableError('usage', `${flag}: ${unknownName('name', name, known)}`)
  return found
}

async function check(folder: string, flags: CheckFlags): Promise<void> {
  const path = flags.baseline!
  const rule = takeLook(readRule(flags), flags)
  if (flags.why !== undefined && !flags.updateBaseline) {
    throw new ShaketableError('usage', '--why: expected --update-baseline with it. Give both, or neither.')
  }
  refuseFacesOfUpdate(flags)
  const run = readRun(folder)
  if (flags.updateBaseline) return updateBaseline(run, path, flags.why, rule)
  const quarantine = flags.quarantine === undefined ? undefined : readQuarantine(flags.quarantine)
  const result = checkRun(checkable(run), readBaseline(path), rule, quarantine)
  await print(checkText(result, process.stdout.columns ?? 120))
  if (flags.annotations || process.env['GITHUB_ACTIONS'] === 'true') {
    const lines = annotationsOf(result)
    if (lines.length > 0) await printData(lines.map(harmlessLine).join('\n'))
  }
  writeFaces(result, flags)
  process.exitCode = result.code
}

/** Making a baseline checks nothing, so that there is nothing to write to these files. */
function refuseFacesOfUpdate(flags: CheckFlags): void {
  if (!flags.updateBaseline) return
  const asked = (['quarantine', 'looks', 'look', 'junit', 'json', 'summary', 'annotations'] as const).find(
    (name) => flags[name] !== undefined,
  )
  if (asked === undefined) return
  throw new ShaketableError(
    'usage',
    `--${asked}: expected no --update-baseline beside it, since making a baseline checks nothing. Make the baseline first, then check against it.`,
  )
}

/** A run as a gate sees it. */
export function checkable(run: ReadRun): CheckableRun {
  const { plan, rows, notes, folder, writing, stopped, stored, planned } = run
  const played = `${number(stored)} of ${number(planned)} episodes are there`
  const obstacle =
    writing === true
      ? `The run is still being written (${played}). Check it again when it has ended.`
      : stopped === undefined
        ? undefined
        : `The run was stopped before everything was played (${stopped} ${played}). Run the same command as before to go on, then check it again.`
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
      `--why: expected at most 1,000 characters, got ${number(why.length)}. Say it shorter.`,
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
    harmless(
      [
        `Wrote ${path}: ${number(tasks)} tasks, ${number(groups)} cells, ${history.length === 0 ? 'the first of its history' : `entry ${number(history.length + 1)} of its history`}. Look through its diff and commit it.`,
        ...describeDrift(made.baseline.history),
        ...(history.length === 0
          ? []
          : [
              'A run that becomes the baseline because it passed is lucky on average: baselines creep upwards and later runs look worse than they are. Decide before a run is played whether it will be the baseline.',
            ]),
      ].join('\n'),
    ),
  )
}

function writeFaces(result: Check, { junit, json, summary }: CheckFlags): void {
  if (junit !== undefined) write('--junit', junit, junitOf(result))
  if (json !== undefined) write('--json', json, checkJson(result))
  if (summary !== undefined) write('--summary', summary, stepSummaryOf(result))
  const step = process.env['GITHUB_STEP_SUMMARY']
  if (step === undefined || step === '') return
  try {
    const already = existsSync(step) ? statSync(step).size : 0
    appendFileSync(step, stepSummaryOf(result, maxSummaryBytes - already))
  } catch (thrown) {
    throw asWriteError(thrown, step, 'Set GITHUB_STEP_SUMMARY to another file')
  }
}

function write(flag: string, path: string, text: string): void {
  try {
    writeWhole(path, text)
  } catch (thrown) {
    throw asWriteError(thrown, path, `Give ${flag} another path`)
  }
}

const maxTasks = 10

/** A check as a person reads it: the tables, what needs a word, and the verdict last. */
function checkText(check: Check, width: number): string {
  const { cells, notes, verdict, code, reasons } = check
  const told = tellCells(cells.filter((cell) => cell.verdict !== 'pass' || cell.moved !== undefined))
  return [
    terminalOf(checkTables(check), width),
    ...(told.length === 0 ? [] : [`${told.join('\n')}\n`]),
    ...(notes.length === 0 ? [] : [`${notes.map((note) => harmlessLine(`note: ${note}`)).join('\n')}\n`]),
    `${harmlessLine(`${verdictWords[verdict]} (exit code ${String(code)}): ${reasons.join(' ')}`)}\n`,
  ].join('\n')
}

/** Cells of which the same is to be said are told together. */
function tellCells(cells: readonly CheckedCell[]): string[] {
  const groups = new Map<string, CheckedCell[]>()
  for (const cell of cells) {
    const words = `${cell.verdict}. ${cell.reason}`
    groups.set(words, [...(groups.get(words) ?? []), cell])
  }
  return [...groups].flatMap(([words, alike]) => [
    harmlessLine(`${shortList(alike.map(nameCell), 4)}: ${words}`),
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
    return harmlessLine(`  ${wanted} ${id}: ${before!} → ${after!}`)
  })
  const left = found.length - shown.length
  return left === 0 ? shown : [...shown, `  … and ${String(left)} more ${wanted}`]
}
