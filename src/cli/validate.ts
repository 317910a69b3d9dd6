import { Command } from 'commander'
import { closeWorlds } from '../core/close-worlds.js'
import type { Environment, Task } from '../core/environment.js'
import { describeLeaks } from '../define/describe-leaks.js'
import { NotApplicable, ShaketableError } from '../core/errors.js'
import { perturb as perturbed } from '../core/perturb.js'
import type { Perturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { advertisedButRefused } from '../environments/advertised.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { namedByNumber, spreadTasks } from '../environments/spread-tasks.js'
import { checkConforms } from '../laws/conforms.js'
import type { Law } from '../laws/index.js'
import type { LawCount, TextCount, Variant } from '../laws/survey.js'
import { manyTasks, settingsToCheck, surveyColumn, surveyPairs, surveyText } from '../laws/survey.js'
import type { Column } from '../run/columns.js'
import { parseColumn, placeColumn } from '../run/columns.js'
import { readSettings, readTasks, settingsFor } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import type { SetFlag, PluginFlag } from './_flags.js'
import { addSetFlag, addPluginFlag, names, readPlugins, usageError } from './_flags.js'
import type { Tried } from './_try-own.js'
import { tryOwn } from './_try-own.js'
import { describeExample, describeFailure } from './_findings.js'
import { escapeLine, print as printText, printJson } from './_lines.js'

interface Options extends SetFlag, PluginFlag {
  readonly env: readonly string[]
  readonly perturb?: readonly string[]
  readonly tasks: string
  readonly seed: string
  readonly json?: true
}

/** What was checked of a remote environment that conforms. */
const conforming =
  'its answers can be read, equal seeds begin equal episodes, simultaneous episodes do not affect each other, the actions that it lists are understood, and its refusals and solutions are as declared'

/** Tasks on which advertised forms are looked for, at least. */
const lintedTasks = 18

/** `shaketable validate`: checks what perturbations promise, on real tasks. */
export function validateCommand(): Command {
  const command = new Command('validate')
    .description(
      'Checks on real tasks the laws that perturbations promise to keep, and that every advertised action form is accepted somewhere. The exit code is 1 if a law fails.',
    )
    .option(
      '--perturb <names>',
      'conditions, separated by commas; a+b applies both (default: those of --plugin, or all)',
      names,
    )
    .option('--env <names>', 'environments, separated by commas (default: those that the perturbations are for)', names)
    .option('--tasks <n|all|ids>', 'number of tasks, all kinds in turn, "all", or the ids of tasks', '12')
    .option('--seed <text>', 'seed of the perturbations and random walks', '0')
    .option('--json', 'print what was found as one JSON document')
  return addSetFlag(addPluginFlag(command))
    .addHelpText(
      'after',
      `\nThe laws:\n${shipped
        .list('law')
        .map(({ name, summary }) => `  ${name}: ${summary}`)
        .join('\n')}`,
    )
    .action(validate)
}

/** What was found, for programs. */
interface Findings {
  readonly own: Tried[]
  /** Sentences on environments that do not conform and on conditions that were left out. */
  readonly notes: string[]
  readonly laws: object[]
}

/** Prints text, unless the output is one JSON document. */
type Print = (text: string) => Promise<void>

/** Where results go; `failed` is set by the first failure. */
interface Sink {
  readonly print: Print
  readonly findings: Findings
  failed: boolean
}

async function validate(options: Options): Promise<void> {
  const { json } = options
  const findings: Findings = { own: [], notes: [], laws: [] }
  const sink: Sink = { print: (text) => (json ? Promise.resolve() : printText(text)), findings, failed: false }
  await check(options, sink)
  if (sink.failed) process.exitCode = 1
  if (json) await printJson(JSON.stringify({ holds: !sink.failed, ...findings }, undefined, 2))
}

async function check({ env, perturb, plugin = [], tasks, seed, set }: Options, sink: Sink): Promise<void> {
  const registry = await readPlugins({ plugin })
  for (const tried of await tryOwn(registry)) {
    sink.findings.own.push(tried)
    sink.failed ||= !tried.works
    await sink.print(escapeLine(`${tried.kind} ${tried.name}: ${tried.result}`))
  }
  const own = registry.own('lens')
  const known = registry.list('lens')
  const isAboutEpisodes = (['lens', 'environment', 'law'] as const).some((kind) => registry.own(kind).length > 0)
  if (plugin.length > 0 && !isAboutEpisodes && (perturb ?? env) === undefined) return
  const written = (perturb ?? (own.length > 0 ? own : known).map(({ name }) => name))
    .map((name) => parseColumn(name, known, registry.list('filter')))
    .filter(({ applied }) => applied.length > 0)
  if (written.length === 0)
    throw usageError("Expected a perturbation to validate, got 'none'. Name one, or leave --perturb out.")
  const flags = readSettings(set)
  const environments = env ?? madeFor(written, registry)
  const wanted = readWanted(tasks)
  for (const name of environments) {
    const given = settingsFor(name, flags, environments)
    const environment = await registry.find('environment', name).open(given)
    const named = findNamed(environment, wanted)
    const chosen = named ?? chooseTasks(environment, wanted as number)
    if (!(await conforms(environment, chosen, seed, sink))) continue
    const isExplicit = env !== undefined && perturb !== undefined
    const { sameActionsAs } = environment
    const spoken = new Map(sameActionsAs === undefined ? [] : [[name, sameActionsAs]])
    const rows = new Map<string, readonly Variant[]>()
    for (const column of written) {
      const isMade = column.applied.some(({ perturbation: { environment: only } }) =>
        [undefined, name, sameActionsAs].includes(only),
      )
      if (!isExplicit && !isMade) continue
      const { kept, lacks } =
        perturb === undefined
          ? await possible(environment, column.applied[0]!.perturbation, known, chosen[0]!, seed)
          : { kept: [column], lacks: undefined }
      if (lacks !== undefined) await tell(`${name}: ${lacks}`, sink)
      const placed = kept.map((one) => placeColumn(one, [name], known, spoken))
      if (placed.length > 0) rows.set(column.label, placed)
    }
    const options = [
      ...Object.entries(given).flatMap(([option, value]) => ['--set', `${name}.${option}=${value}`]),
      ...plugin.flatMap((path) => ['--plugin', path]),
    ]
    await report({ environment, tasks: chosen, rows, seed, options, laws: registry.list('law') }, sink)
    // A form may need a certain kind of task, so this samples every kind, however few tasks the laws are checked on.
    const most = Math.max(Math.min(chosen.length, manyTasks), lintedTasks)
    if (named === undefined) await lint(environment, chooseTasks(environment, most), seed, sink)
  }
}

/** Notes a sentence and prints it. */
async function tell(sentence: string, { print, findings }: Sink, before = ''): Promise<void> {
  findings.notes.push(sentence)
  await print(before + escapeLine(sentence))
}

/** The settings of a perturbation that are checked, without those for which the environment lacks words or objects. */
async function possible(
  environment: Environment,
  perturbation: Perturbation,
  known: readonly Perturbation[],
  task: Task,
  seed: string,
): Promise<{ readonly kept: readonly Column[]; readonly lacks: string | undefined }> {
  let lacks: string | undefined
  const kept: Column[] = []
  for (const column of settingsToCheck(perturbation).map((text) => parseColumn(text, known))) {
    try {
      await closeWorlds([await perturbed(environment, column.applied).begin(task, createRandom(seed))])
    } catch (thrown) {
      if (thrown instanceof NotApplicable) {
        lacks ??= `'${column.label}' is left out: it ${thrown.needs}`
        continue
      }
    }
    kept.push(column)
  }
  return { kept, lacks }
}

/** Environments of plug-ins, or those of the perturbations; the household if these fit any environment. */
function madeFor(columns: readonly Column[], registry: Registry): string[] {
  const own = registry.own('environment').map(({ name }) => name)
  if (own.length > 0) return own
  const names = columns.flatMap(({ applied }) => applied.map(({ perturbation }) => perturbation.environment))
  const known = names.filter((name) => name !== undefined)
  return known.length === 0 ? ['household'] : [...new Set(known)]
}

/** Says how an environment breaks its contract, and of a remote one also that it conforms. */
async function conforms(
  environment: OpenedEnvironment,
  tasks: readonly Task[],
  seed: string,
  sink: Sink,
): Promise<boolean> {
  const { name } = environment
  const { misfits, isElsewhere } = await checkConforms(environment, tasks, seed)
  for (const { task, detail } of misfits) await tell(`${name}, task ${task.id}: does not conform: ${detail}`, sink)
  if (misfits.length > 0) {
    sink.failed = true
    await sink.print('Laws of perturbations are not checked in an environment that does not conform.')
  } else if (isElsewhere) await sink.print(`${name} conforms on ${String(tasks.length)} tasks: ${conforming}.\n`)
  return misfits.length === 0
}

/** What is checked in an environment. */
interface Survey {
  readonly environment: OpenedEnvironment
  readonly tasks: readonly Task[]
  /** The variants of each row. */
  readonly rows: ReadonlyMap<string, readonly Variant[]>
  readonly seed: string
  /** Of the environment, for a command that replays a failure. */
  readonly options: readonly string[]
  readonly laws: readonly Law[]
}

const pairRow = 'two of them'
/** Text that is longer by more than this share wants a control of the same length. */
const maxLengthChange = 0.1

/** Prints one table, a row at a time, with a column for each law, and below it what needs attention. */
async function report(survey: Survey, sink: Sink): Promise<void> {
  const { environment, tasks, rows, seed, laws } = survey
  const { print, findings } = sink
  const heads = ['opens', ...laws.map(({ name }) => name), 'leaks', 'length']
  const labelWidth = Math.max(pairRow.length, ...[...rows.keys()].map(({ length }) => length))
  const row = (label: string, cells: readonly string[]): Promise<void> =>
    print([label.padEnd(labelWidth), ...cells.map((cell) => cell.padEnd(12))].join('  ').trimEnd())
  const size = `${String(tasks.length)} of ${String(environment.tasks.length)} tasks`
  await print(`${environment.name}: ${size}, seed ${escapeLine(seed)}`)
  if ([...rows.values()].some(({ length }) => length > 1)) {
    await print(
      'Tasks take turns with the settings of a row: its defaults, each value of each option, draws 1 to 5, and half of the intensity.',
    )
  }
  if (tasks.length > manyTasks) {
    await print(
      `With more than ${String(manyTasks)} tasks, laws that only read text are checked on every second round of the settings.`,
    )
  }
  await print('')
  await row('', heads)
  findings.notes.push(...environment.notes)
  const below = environment.notes.map((note) => `note: ${note}`)
  for (const [label, variants] of rows) {
    const counts = await surveyColumn(environment, tasks, variants, seed, laws)
    const isNarrow = variants.some(({ applied }) => applied.some(({ scope }) => scope !== undefined))
    const isClosed = counts.some(({ law }) => law === 'opens')
    const text = isClosed || isNarrow ? undefined : await surveyText(environment, tasks, variants, seed)
    await row(label, [
      isClosed ? cellOf(counts, 'opens') : 'yes',
      ...laws.map(({ name }) => cellOf(counts, name)),
      ...(text === undefined ? [] : [String(text.leaks), percentOf(text.length)]),
    ])
    below.push(...remarksOn(survey, label, counts, sink, text))
  }
  const single = [...rows.values()].flatMap(([one]) => (one!.applied.length === 1 ? one!.applied : []))
  const pairs = sink.failed ? undefined : await surveyPairs(environment, tasks, single, seed)
  if (pairs !== undefined) {
    await row(pairRow, ['', ...laws.map(({ name }) => (name === 'commutes' ? cellOf([pairs], pairs.law) : ''))])
    below.push(...remarksOn(survey, pairRow, [pairs], sink))
  }
  const lines = below.flatMap((text) => text.split('\n')).map(escapeLine)
  if (lines.length > 0) await print(`\n${lines.join('\n')}`)
}

/** Notes the counts of a row for programs, and says what needs attention. */
function remarksOn(
  { environment, seed, options }: Survey,
  label: string,
  counts: readonly LawCount[],
  sink: Sink,
  text?: TextCount,
): string[] {
  const laws = counts.map(({ law, holds, unchanged, unchecked, fails, reasons, failure }) => ({
    law,
    holds,
    unchanged,
    unchecked,
    fails,
    reasons,
    ...(failure && { failure: { condition: failure.label, task: failure.task.id, ...failure.finding } }),
  }))
  sink.findings.laws.push({ environment: environment.name, condition: label, laws, ...text })
  sink.failed ||= counts.some(({ fails }) => fails > 0)
  const remarks = counts.flatMap(({ failure, reasons, law, example }) => [
    ...(failure === undefined
      ? []
      : [
          describeFailure(failure.task, failure.finding, {
            environment: environment.name,
            column: failure.label,
            seed,
            options,
          }),
        ]),
    ...reasons.map((reason) => `${label}, ${law}: not checked. ${reason}`),
    ...(example === undefined ? [] : [describeExample(example.task, example.evidence)]),
  ])
  const { leaks = 0, leaked = [], length = 1 } = text ?? {}
  if (leaks > 0)
    remarks.push(`warning: ${label}: old vocabulary was still shown ${String(leaks)} times: ${describeLeaks(leaked)}.`)
  if (length - 1 > maxLengthChange) {
    remarks.push(
      `note: ${label}: agents read ${percentOf(length).slice(1)} more text, so compare it with a control of the same length.`,
    )
  }
  return remarks
}

/** A cell of the table of laws. */
function cellOf(counts: readonly LawCount[], law: string): string {
  const count = counts.find((one) => one.law === law)
  if (count === undefined) return ''
  const { holds, unchanged, unchecked, fails, example } = count
  if (fails > 0) return `FAILS ${String(fails)}/${String(fails + holds + unchanged + unchecked)}`
  if (example !== undefined) return 'not checked'
  if (holds > 0) return `holds ${String(holds)}`
  return unchanged > 0 ? `unchanged ${String(unchanged)}` : 'not checked'
}

/** `+12 %` for 1.12. */
function percentOf(share: number): string {
  const percent = Math.round((share - 1) * 100)
  return `${percent < 0 ? '−' : '+'}${String(Math.abs(percent))} %`
}

/** Warns of advertised action forms that are never accepted. */
async function lint(environment: OpenedEnvironment, tasks: readonly Task[], seed: string, sink: Sink): Promise<void> {
  const refused = await advertisedButRefused(environment, tasks, createRandom(seed))
  if (refused.length === 0) return
  const forms = refused.map((form) => `'${form}'`).join(', ')
  const these = refused.length === 1 ? 'this form' : 'these forms'
  await tell(
    `warning: the instruction of ${environment.name} advertises ${forms}, but no possible action in ${String(tasks.length)} tasks has ${these}.`,
    sink,
    '\n',
  )
}

/** @returns a number of tasks, which may be infinite, or ids */
function readWanted(text: string): number | readonly string[] {
  const wanted = text === 'all' ? Infinity : readTasks(text)
  if (typeof wanted !== 'number' || wanted >= 1) return wanted
  throw usageError(`--tasks: expected a number of tasks from 1, all, or the ids of tasks, got '${text}'.`)
}

/** The tasks that are chosen by their ids; undefined where a number of tasks is. */
function findNamed(environment: OpenedEnvironment, wanted: number | readonly string[]): readonly Task[] | undefined {
  if (typeof wanted !== 'number') return [...new Set(wanted)].map((id) => environment.find(id))
  const named = namedByNumber(environment.tasks, wanted)
  return named && [named]
}

/** At most `wanted` tasks, all kinds in turn. */
function chooseTasks(environment: OpenedEnvironment, wanted: number): readonly Task[] {
  const chosen = spreadTasks(environment.tasks).slice(0, wanted)
  if (chosen.length > 0) return chosen
  throw new ShaketableError('bad-input', `The environment '${environment.name}' has no tasks with these options.`)
}
