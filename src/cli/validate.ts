import { closeWorlds } from '../core/close-worlds.js'
import type { Task } from '../core/environment.js'
import { NotApplicable, ShaketableError } from '../core/errors.js'
import { perturb as perturbed } from '../core/perturb.js'
import type { Perturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { describeLeaks } from '../define/describe-leaks.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { namedByNumber, spreadTasks } from '../environments/spread-tasks.js'
import { checkConforms } from '../laws/conforms.js'
import type { LawCount, TextCount, Variant } from '../laws/survey.js'
import { settingsToCheck, surveyColumn, surveyPairs, surveyText } from '../laws/survey.js'
import type { Column } from '../run/columns.js'
import { parseColumn, placeColumn } from '../run/columns.js'
import { readSettings, readTasks, settingsFor } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import { describeExample, describeFailure } from './_findings.js'
import type { OptionsOf } from './_flags.js'
import { environmentFlags, makeCommand, names, readPlugins, usageError } from './_flags.js'
import { escapeLine, print as printText, printDocument, textOf } from './_lines.js'
import { exits } from './_signals.js'
import type { Tried } from './_try-own.js'
import { tryOwn } from './_try-own.js'

/** What was checked of a remote environment that conforms. */
const conforming =
  'its answers can be read, equal seeds begin equal episodes, simultaneous episodes do not affect each other, the actions that it lists are understood, and its refusals and solutions are as declared'

const flags = [
  [
    '--perturb <names>',
    'conditions, separated by commas; a+b applies both (default: those of --plugin, or all)',
    names,
  ],
  ['--env <names>', 'environments, separated by commas (default: those that the perturbations are for)', names],
  ['--tasks <n|all|ids>', 'number of tasks, all kinds in turn, "all", or the ids of tasks', undefined, '12'],
  ['--seed <text>', 'seed of the perturbations and random walks', undefined, '0'],
  ['--json', 'print what was found as one JSON document'],
  ...environmentFlags,
] as const

/** `shaketable validate`: checks what perturbations promise, on real tasks. */
export function validateCommand() {
  const laws = shipped.list('law').map(({ name, summary }) => `  ${name}: ${summary}`)
  return makeCommand(
    'validate',
    'Checks on real tasks the laws that perturbations promise to keep. The exit code is 1 if a law fails.',
    { flags, below: `The laws:\n${laws.join('\n')}`, run: validate },
  )
}

/** What was found: printed at once, and kept for programs. */
interface Findings {
  /** Set by the first failure. */
  holds: boolean
  readonly own: Tried[]
  /** Sentences on environments that do not conform and on conditions that were left out. */
  readonly notes: string[]
  readonly laws: object[]
}

type Print = (text: string) => Promise<void>

async function validate(options: OptionsOf<typeof flags>): Promise<void> {
  const findings: Findings = { holds: true, own: [], notes: [], laws: [] }
  await check(options, findings, options.json ? () => Promise.resolve() : printText)
  if (!findings.holds) process.exitCode = exits.wrong
  if (options.json) await printDocument(findings)
}

async function check(options: OptionsOf<typeof flags>, findings: Findings, print: Print): Promise<void> {
  const { env, perturb, plugin = [], tasks, seed, set } = options
  const registry = await readPlugins({ plugin })
  for (const tried of await tryOwn(registry)) {
    findings.own.push(tried)
    findings.holds &&= tried.works
    await print(escapeLine(`${tried.kind} ${tried.name}: ${tried.result}`))
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
  const settings = readSettings(set)
  const environments = env ?? madeFor(written, registry)
  const tell = (sentence: string): Promise<void> => {
    findings.notes.push(sentence)
    return print(escapeLine(sentence))
  }
  for (const name of environments) {
    const given = settingsFor(name, settings, environments)
    const environment = await registry.find('environment', name).open(given)
    const chosen = chooseTasks(environment, tasks)
    const { misfits, isElsewhere } = await checkConforms(environment, chosen, seed)
    for (const { task, detail } of misfits) await tell(`${name}, task ${task.id}: does not conform: ${detail}`)
    if (misfits.length > 0) {
      findings.holds = false
      await print('Laws of perturbations are not checked in an environment that does not conform.')
      continue
    }
    if (isElsewhere) await print(`${name} conforms on ${String(chosen.length)} tasks: ${conforming}.\n`)
    const { sameActionsAs } = environment
    const spoken = new Map(sameActionsAs === undefined ? [] : [[name, sameActionsAs]])
    const rows = new Map<string, readonly Variant[]>()
    for (const column of written) {
      const isMade = column.applied.some(({ perturbation: { environment: only } }) =>
        [undefined, name, sameActionsAs].includes(only),
      )
      if ((env === undefined || perturb === undefined) && !isMade) continue
      const settingsOf = async (): Promise<Possible> =>
        possible(environment, column.applied[0]!.perturbation, known, chosen[0]!, seed)
      const { kept, lacks } = perturb === undefined ? await settingsOf() : { kept: [column] }
      if (lacks !== undefined) await tell(`${name}: ${lacks}`)
      const placed = kept.map((one) => placeColumn(one, [name], known, spoken))
      if (placed.length > 0) rows.set(column.label, placed)
    }
    const replayed = [
      ...Object.entries(given).flatMap(([option, value]) => ['--set', `${name}.${option}=${value}`]),
      ...plugin.flatMap((path) => ['--plugin', path]),
    ]
    await survey({ environment, tasks: chosen, rows, seed, replayed, registry, findings, print })
  }
}

/** Columns that can be checked, and the first reason why others cannot. */
interface Possible {
  readonly kept: readonly Column[]
  readonly lacks?: string | undefined
}

/** The settings of a perturbation that are checked, without those for which the environment lacks words or objects. */
async function possible(
  environment: OpenedEnvironment,
  perturbation: Perturbation,
  known: readonly Perturbation[],
  task: Task,
  seed: string,
): Promise<Possible> {
  let lacks: string | undefined
  const kept: Column[] = []
  for (const column of settingsToCheck(perturbation).map((text) => parseColumn(text, known))) {
    try {
      await closeWorlds([await perturbed(environment, column.applied).begin(task, createRandom(seed))])
      kept.push(column)
    } catch (thrown) {
      if (thrown instanceof NotApplicable) lacks ??= `'${column.label}' is left out: it ${thrown.needs}`
      else kept.push(column)
    }
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

/** The tasks to check on: those that are named by their ids, or a number of them, all kinds in turn. */
function chooseTasks(environment: OpenedEnvironment, text: string) {
  const wanted = text === 'all' ? Infinity : readTasks(text)
  if (typeof wanted !== 'number') return [...new Set(wanted)].map((id) => environment.find(id))
  if (wanted < 1)
    throw usageError(`--tasks: expected a number of tasks from 1, all, or the ids of tasks, got '${text}'.`)
  const named = namedByNumber(environment.tasks, wanted)
  if (named !== undefined) return [named]
  const chosen = spreadTasks(environment.tasks).slice(0, wanted)
  if (chosen.length > 0) return chosen
  throw new ShaketableError('bad-input', `The environment '${environment.name}' has no tasks with these options.`)
}

/** What is checked in an environment. */
interface Survey {
  readonly environment: OpenedEnvironment
  readonly tasks: readonly Task[]
  /** The variants of each row. */
  readonly rows: ReadonlyMap<string, readonly Variant[]>
  readonly seed: string
  /** The options of the environment, for a command that replays a failure. */
  readonly replayed: readonly string[]
  readonly registry: Registry
  readonly findings: Findings
  readonly print: Print
}

const pairRow = 'two of them'
/** Text that is longer by more than this share wants a control of the same length. */
const maxLengthChange = 0.1

/** Prints one table, a row at a time, with a column for each law, and below it what needs attention. */
async function survey(what: Survey): Promise<void> {
  const { environment, tasks, rows, seed, registry, findings, print } = what
  const laws = registry.list('law')
  const labelWidth = Math.max(pairRow.length, ...[...rows.keys()].map(({ length }) => length))
  const row = (label: string, cells: readonly string[]): Promise<void> =>
    print([label.padEnd(labelWidth), ...cells.map((cell) => cell.padEnd(12))].join('  ').trimEnd())
  const size = `${String(tasks.length)} of ${String(environment.tasks.length)} tasks`
  const above = [
    `${environment.name}: ${size}, seed ${seed}`,
    [...rows.values()].some(({ length }) => length > 1) &&
      'Tasks take turns with the settings of a row: its defaults, each value of each option, draws 1 to 5, and half of the intensity.',
  ]
  await print(`${textOf(above)}\n`)
  await row('', ['opens', ...laws.map(({ name }) => name), 'leaks', 'length'])
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
    below.push(...remarksOn(what, label, counts, text))
  }
  const single = [...rows.values()].flatMap(([one]) => (one!.applied.length === 1 ? one!.applied : []))
  const pairs = findings.holds ? await surveyPairs(environment, tasks, single, seed) : undefined
  if (pairs !== undefined) {
    await row(pairRow, ['', ...laws.map(({ name }) => (name === 'commutes' ? cellOf([pairs], pairs.law) : ''))])
    below.push(...remarksOn(what, pairRow, [pairs]))
  }
  if (below.length > 0) await print(`\n${textOf(below.flatMap((text) => text.split('\n')))}`)
}

/** Notes the counts of a row for programs, and says what needs attention. */
function remarksOn(
  { environment, seed, replayed, findings }: Survey,
  label: string,
  counts: readonly LawCount[],
  text?: TextCount,
): string[] {
  const laws = counts.map(({ law, holds, unchanged, unchecked, fails, reasons, failure }) => ({
    ...{ law, holds, unchanged, unchecked, fails, reasons },
    ...(failure && { failure: { condition: failure.label, task: failure.task.id, ...failure.finding } }),
  }))
  findings.laws.push({ environment: environment.name, condition: label, laws, ...text })
  findings.holds &&= counts.every(({ fails }) => fails === 0)
  const replay = { environment: environment.name, seed, options: replayed }
  const remarks = counts.flatMap(({ failure, reasons, law, example }) => [
    ...(failure ? [describeFailure(failure.task, failure.finding, { ...replay, column: failure.label })] : []),
    ...reasons.map((reason) => `${label}, ${law}: not checked. ${reason}`),
    ...(example ? [describeExample(example.task, example.evidence)] : []),
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
  if (holds > 0 && example === undefined) return `holds ${String(holds)}`
  return unchanged > 0 && example === undefined ? `unchanged ${String(unchanged)}` : 'not checked'
}

/** `+12 %` for 1.12. */
function percentOf(share: number): string {
  const percent = Math.round((share - 1) * 100)
  return `${percent < 0 ? '−' : '+'}${String(Math.abs(percent))} %`
}
