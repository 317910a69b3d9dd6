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
import { addSetFlag, addPluginFlag, names, readPlugins } from './_flags.js'
import type { Tried } from './_try-own.js'
import { tryOwn } from './_try-own.js'
import type { Replay } from './_findings.js'
import { cellOf, describeExample, describeFailure } from './_findings.js'
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

async function validate(options: Options): Promise<void> {
  const findings: Findings = { own: [], notes: [], laws: [] }
  const failed = await check(options, findings)
  if (failed) process.exitCode = 1
  if (options.json) await printJson(JSON.stringify({ holds: !failed, ...findings }, undefined, 2))
}

/** @returns whether anything fails */
async function check({ env, perturb, plugin = [], tasks, seed, json, ...rest }: Options, findings: Findings) {
  const print: Print = (text) => (json ? Promise.resolve() : printText(text))
  const registry = await readPlugins({ plugin })
  const own = registry.own('lens')
  const known = registry.list('lens')
  findings.own.push(...(await tryOwn(registry)))
  for (const { kind, name, result } of findings.own) await print(escapeLine(`${kind} ${name}: ${result}`))
  let failed = findings.own.some(({ works }) => !works)
  const isAboutEpisodes = (['lens', 'environment', 'law'] as const).some((kind) => registry.own(kind).length > 0)
  if (plugin.length > 0 && !isAboutEpisodes && (perturb ?? env) === undefined) {
    return failed
  }
  const conditions = perturb ?? (own.length > 0 ? own : known).map(({ name }) => name)
  const written = conditions
    .map((name) => parseColumn(name, known, registry.list('filter')))
    .filter(({ applied }) => applied.length > 0)
  if (written.length === 0) {
    throw new ShaketableError(
      'usage',
      "Expected a perturbation to validate, got 'none'. Name one, or leave --perturb out.",
    )
  }
  const flags = readSettings(rest.set)
  const environments = env ?? madeFor(written, registry)
  const wanted = readWanted(tasks)
  const opened: Survey[] = []
  for (const name of environments) {
    const given = settingsFor(name, flags, environments)
    const environment = await registry.find('environment', name).open(given)
    const { sameActionsAs } = environment
    const isExplicit = env !== undefined && perturb !== undefined
    const named = findNamed(environment, wanted)
    const chosen = named ?? chooseTasks(environment, wanted as number)
    if (!(await conforms(environment, chosen, seed, print, findings))) {
      failed = true
      continue
    }
    const place = (column: Column): Column =>
      placeColumn(column, [name], known, new Map(sameActionsAs === undefined ? [] : [[name, sameActionsAs]]))
    const rows = new Map<string, readonly Variant[]>()
    for (const column of written) {
      if (!isExplicit && !column.applied.some(({ perturbation }) => isMadeFor(perturbation, [name, sameActionsAs])))
        continue
      const [one] = column.applied
      const columns =
        perturb === undefined
          ? await possible(environment, one!.perturbation, known, chosen[0]!, seed)
          : { kept: [column], lacks: undefined }
      if (columns.lacks !== undefined) {
        findings.notes.push(`${name}: ${columns.lacks}`)
        await print(`${name}: ${columns.lacks}`)
      }
      if (columns.kept.length > 0) rows.set(column.label, columns.kept.map(place))
    }
    const options = [
      ...Object.entries(given).flatMap(([option, value]) => ['--set', `${name}.${option}=${value}`]),
      ...plugin.flatMap((path) => ['--plugin', path]),
    ]
    const areNamed = named !== undefined
    opened.push({ environment, tasks: chosen, areNamed, rows, seed, options, laws: registry.list('law') })
  }
  if (opened.length > 0 && (await report(opened, seed, print, findings))) failed = true
  // A form may need a certain kind of task, so this samples every kind, however few tasks the laws are checked on.
  for (const { environment, tasks: chosen } of opened.filter(({ areNamed }) => !areNamed))
    await lint(
      environment,
      chooseTasks(environment, Math.max(Math.min(chosen.length, manyTasks), lintedTasks)),
      seed,
      print,
      findings,
    )
  return failed
}

type Print = (text: string) => Promise<void>

/** The settings of a perturbation that are checked, without those for which the environment lacks words or objects. */
async function possible(
  environment: Environment,
  { name, ...perturbation }: Perturbation,
  known: readonly Perturbation[],
  task: Task,
  seed: string,
): Promise<{ readonly kept: readonly Column[]; readonly lacks: string | undefined }> {
  let lacks: string | undefined
  const kept: Column[] = []
  for (const column of settingsToCheck({ name, ...perturbation }).map((text) => parseColumn(text, known))) {
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

function isMadeFor({ environment }: Perturbation, names: readonly (string | undefined)[]): boolean {
  return environment === undefined || names.includes(environment)
}

/**
 * Prints how an environment breaks its contract, and of a remote one also that it conforms. @returns whether it
 * conforms
 */
async function conforms(
  environment: OpenedEnvironment,
  tasks: readonly Task[],
  seed: string,
  print: Print,
  findings: Findings,
): Promise<boolean> {
  const { misfits, isElsewhere } = await checkConforms(environment, tasks, seed)
  for (const { task, detail } of misfits) {
    const sentence = `${environment.name}, task ${task.id}: does not conform: ${detail}`
    findings.notes.push(sentence)
    await print(escapeLine(sentence))
  }
  if (misfits.length > 0) await print('Laws of perturbations are not checked in an environment that does not conform.')
  else if (isElsewhere) await print(`${environment.name} conforms on ${String(tasks.length)} tasks: ${conforming}.\n`)
  return misfits.length === 0
}

interface Survey {
  readonly environment: OpenedEnvironment
  readonly tasks: readonly Task[]
  /** Whether the tasks were chosen by their ids. */
  readonly areNamed: boolean
  /** The variants of each row. */
  readonly rows: ReadonlyMap<string, readonly Variant[]>
  readonly seed: string
  readonly options: readonly string[]
  readonly laws: readonly Law[]
}

/** What was found about a row in an environment. */
interface Found {
  readonly counts: readonly LawCount[]
  readonly text?: TextCount
}

const pairRow = 'two of them'
/** Text that is longer by more than this share wants a control of the same length. */
const maxLengthChange = 0.1

/**
 * Prints one table, a row at a time: a column for each law, or for each of several environments. @returns whether a law
 * fails
 */
async function report(surveys: readonly Survey[], seed: string, print: Print, findings: Findings): Promise<boolean> {
  const [first] = surveys
  const isOne = surveys.length === 1
  const lawNames = first!.laws.map(({ name }) => name)
  const heads = isOne ? ['opens', ...lawNames, 'leaks', 'length'] : surveys.map(({ environment }) => environment.name)
  const labels = [...new Set(surveys.flatMap(({ rows }) => [...rows.keys()]))]
  const labelWidth = Math.max(pairRow.length, ...labels.map(({ length }) => length))
  const width = isOne ? 12 : 32
  const row = (label: string, cells: readonly string[]): Promise<void> =>
    print([label.padEnd(labelWidth), ...cells.map((cell) => cell.padEnd(width))].join('  ').trimEnd())
  const sizes = surveys.map(
    ({ environment, tasks }) =>
      `${environment.name}: ${String(tasks.length)} of ${String(environment.tasks.length)} tasks`,
  )
  await print(`${sizes.join('; ')}, seed ${escapeLine(seed)}`)
  const variants = surveys.flatMap(({ rows }) => [...rows.values()])
  if (variants.some(({ length }) => length > 1)) {
    await print(
      'Tasks take turns with the settings of a row: its defaults, each value of each option, draws 1 to 5, and half of the intensity.',
    )
  }
  if (surveys.some(({ tasks }) => tasks.length > manyTasks)) {
    await print(
      `With more than ${String(manyTasks)} tasks, laws that only read text are checked on every second round of the settings.`,
    )
  }
  await print('')
  await row('', heads)

  let failed = false
  findings.notes.push(...surveys.flatMap(({ environment }) => environment.notes))
  const below: string[] = surveys.flatMap(({ environment }) => environment.notes.map((note) => `note: ${note}`))
  const note = ({ environment, options }: Survey, label: string, { counts, text }: Found): void => {
    const replay: Omit<Replay, 'column'> = { environment: environment.name, seed, options }
    const where = isOne ? label : `${environment.name}, ${label}`
    for (const { failure, reasons, law, example } of counts) {
      if (failure !== undefined)
        below.push(describeFailure(failure.task, failure.finding, { ...replay, column: failure.label }))
      for (const reason of reasons) below.push(`${where}, ${law}: not checked. ${reason}`)
      if (example !== undefined) below.push(describeExample(example.task, example.evidence))
    }
    failed ||= counts.some(({ fails }) => fails > 0)
    findings.laws.push({ environment: environment.name, condition: label, laws: counts.map(lawJson), ...text })
    if (text === undefined) return
    if (text.leaks > 0) {
      below.push(
        `warning: ${where}: old vocabulary was still shown ${String(text.leaks)} times: ${describeLeaks(text.leaked ?? [])}.`,
      )
    }
    if (text.length - 1 > maxLengthChange) {
      below.push(
        `note: ${where}: agents read ${percentOf(text.length).slice(1)} more text, so compare it with a control of the same length.`,
      )
    }
  }
  for (const label of labels) {
    const found: (Found | undefined)[] = []
    for (const survey of surveys) found.push(await look(survey, label))
    await row(
      label,
      isOne
        ? heads.map((head) => cellOfHead(head, found[0]!))
        : found.map((one) => (one === undefined ? '' : summaryOf(one))),
    )
    found.forEach((one, index) => one && note(surveys[index]!, label, one))
  }
  if (!failed) {
    const pairs: (LawCount | undefined)[] = []
    for (const { environment, tasks, rows } of surveys) {
      const single = [...rows.values()].flatMap(([one]) => (one!.applied.length === 1 ? one!.applied : []))
      pairs.push(await surveyPairs(environment, tasks, single, seed))
    }
    if (pairs.some((count) => count !== undefined)) {
      await row(
        pairRow,
        isOne
          ? heads.map((head) => (head === 'commutes' ? cellOf(pairs[0]) : ''))
          : pairs.map((count) => cellOf(count)),
      )
    }
    pairs.forEach((count, index) => {
      // Which pairs change the same things is of interest only where every pair was checked.
      if (count !== undefined) note(surveys[index]!, pairRow, { counts: [isOne ? count : { ...count, reasons: [] }] })
    })
  }

  if (below.length > 0) await print(`\n${below.map((text) => escapeLines(text)).join('\n')}`)
  return failed
}

/** The counts of a law on a condition, with the first failure. */
function lawJson({ law, holds, unchanged, unchecked, fails, reasons, failure }: LawCount) {
  return {
    law,
    holds,
    unchanged,
    unchecked,
    fails,
    reasons,
    ...(failure && {
      failure: { condition: failure.label, task: failure.task.id, ...failure.finding },
    }),
  }
}

async function look(survey: Survey, label: string): Promise<Found | undefined> {
  const { environment, tasks, rows, seed, laws } = survey
  const variants = rows.get(label)
  if (variants === undefined) return undefined
  const counts = await surveyColumn(environment, tasks, variants, seed, laws)
  const isNarrow = variants.some(({ applied }) => applied.some(({ scope }) => scope !== undefined))
  if (counts.some(({ law }) => law === 'opens') || isNarrow) return { counts }
  return { counts, text: await surveyText(environment, tasks, variants, seed) }
}

function cellOfHead(head: string, { counts, text }: Found): string {
  const count = counts.find(({ law }) => law === head)
  if (head === 'opens' && count === undefined) return 'yes'
  if (head === 'leaks') return text === undefined ? '' : String(text.leaks)
  if (head === 'length') return text === undefined ? '' : percentOf(text.length)
  return cellOf(count)
}

/** All laws of a row in an environment, in a few words. */
function summaryOf({ counts, text }: Found): string {
  const broken = counts.filter(({ fails }) => fails > 0).map(({ law }) => law)
  if (broken.length > 0) return `FAILS ${broken.join(', ')}`
  const [holds, unchecked] = [Math.max(...counts.map((one) => one.holds)), counts.filter((one) => one.unchecked > 0)]
  const seen = holds > 0 ? `holds ${String(holds)}` : 'unchanged'
  const open = unchecked.length > 0 ? `, ${String(unchecked.length)} not checked` : ''
  const length = text === undefined || percentOf(text.length) === '+0 %' ? '' : `, ${percentOf(text.length)}`
  return seen + open + length
}

/** `+12 %` for 1.12. */
function percentOf(share: number): string {
  const percent = Math.round((share - 1) * 100)
  return `${percent < 0 ? '−' : '+'}${String(Math.abs(percent))} %`
}

/** Prints the advertised action forms that are never accepted. */
async function lint(
  environment: OpenedEnvironment,
  tasks: readonly Task[],
  seed: string,
  print: Print,
  findings: Findings,
): Promise<void> {
  const refused = await advertisedButRefused(environment, tasks, createRandom(seed))
  if (refused.length === 0) return
  const forms = refused.map((form) => `'${escapeLine(form)}'`).join(', ')
  const seen = `no possible action in ${String(tasks.length)} tasks has ${refused.length === 1 ? 'this form' : 'these forms'}`
  const sentence = `the instruction advertises ${forms}, but ${seen}.`
  findings.notes.push(`${environment.name}: ${sentence}`)
  await print(`\nwarning: ${sentence}`)
}

function escapeLines(text: string): string {
  return text.split('\n').map(escapeLine).join('\n')
}

/** @returns a number of tasks, which may be infinite, or ids */
function readWanted(text: string): number | readonly string[] {
  const wanted = text === 'all' ? Infinity : readTasks(text)
  if (typeof wanted !== 'number' || wanted >= 1) return wanted
  throw new ShaketableError(
    'usage',
    `--tasks: expected a number of tasks from 1, all, or the ids of tasks, got '${text}'.`,
  )
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
