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
import { settingsToCheck, surveyCondition, surveyPairs, surveyText } from '../laws/survey.js'
import type { Condition } from '../run/conditions.js'
import { parseCondition, placeCondition } from '../run/conditions.js'
import { readSettings, readTasks, settingsFor } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import { describeExample, describeFailure } from './_findings.js'
import type { OptionsOf } from './_flags.js'
import { environmentFlags, makeCommand, names, readPlugins, usageError } from './_flags.js'
import { escapeLine, layOut, print, printDocument, showCount, textOf } from './_lines.js'
import { exits } from './_signals.js'

/** Text that is longer by more than this share wants a control of the same length. */
const maxLengthChange = 0.1
const pairRow = 'two of them'

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

/** What was found. */
interface Findings {
  /** Set by the first failure. */
  holds: boolean
  /** Sentences on environments, and on conditions that were left out. */
  readonly notes: string[]
  readonly laws: object[]
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
}

async function validate(options: OptionsOf<typeof flags>): Promise<void> {
  const { env, perturb, plugin = [], tasks, seed, json } = options
  const findings: Findings = { holds: true, notes: [], laws: [] }
  const registry = await readPlugins({ plugin })
  const [own, known] = [registry.own('lens'), registry.list('lens')]
  const isAboutEpisodes = (['lens', 'environment', 'law'] as const).some((kind) => registry.own(kind).length > 0)
  if (plugin.length > 0 && !isAboutEpisodes && (perturb ?? env) === undefined)
    return print(escapeLine(`${plugin.join(', ')} can be used; play it, since no law is about what it defines.`))
  const written = (perturb ?? (own.length > 0 ? own : known).map(({ name }) => name))
    .map((name) => parseCondition(name, known, registry.list('filter')))
    .filter(({ applied }) => applied.length > 0)
  if (written.length === 0)
    throw usageError("Expected a perturbation to validate, got 'none'. Name one, or leave --perturb out.")
  const settings = readSettings(options.set)
  const environments = env ?? madeFor(written, registry)
  for (const name of environments) {
    const given = settingsFor(name, settings, environments)
    const environment = await registry.find('environment', name).open(given)
    const chosen = chooseTasks(environment, tasks)
    const { misfits, isElsewhere } = await checkConforms(environment, chosen, seed)
    findings.notes.push(...environment.notes)
    const unfit = misfits.map(({ task, detail }) => `${name}, task ${task.id}: does not conform: ${detail}`)
    if (isElsewhere && misfits.length === 0)
      findings.notes.push(`${name} conforms to the protocol on ${String(chosen.length)} tasks.`)
    findings.notes.push(...unfit)
    if (unfit.length > 0) findings.holds = false
    const rows = new Map<string, readonly Variant[]>()
    for (const condition of unfit.length > 0 ? [] : written) {
      const only = condition.applied.map(({ perturbation }) => perturbation.environment)
      const isMade = only.some((one) => [undefined, name, environment.sameActionsAs].includes(one))
      if ((env === undefined || perturb === undefined) && !isMade) continue
      const { kept, lacks } =
        perturb === undefined
          ? await possible(environment, condition.applied[0]!.perturbation, known, chosen[0]!, seed)
          : { kept: [condition], lacks: undefined }
      if (lacks !== undefined) findings.notes.push(`${name}: ${lacks}`)
      const { sameActionsAs } = environment
      const spoken = new Map(sameActionsAs === undefined ? [] : [[name, sameActionsAs]])
      if (kept.length > 0)
        rows.set(
          condition.label,
          kept.map((one) => placeCondition(one, [name], known, spoken)),
        )
    }
    const replayed = [
      ...Object.entries(given).flatMap(([option, value]) => ['--set', `${name}.${option}=${value}`]),
      ...plugin.flatMap((path) => ['--plugin', path]),
    ]
    const text = await survey({ environment, tasks: chosen, rows, seed, replayed, registry, findings })
    if (!json && rows.size > 0) await print(`${text}\n`)
  }
  if (!findings.holds) process.exitCode = exits.wrong
  if (json) return printDocument(findings)
  if (findings.notes.length > 0) await print(textOf(findings.notes))
}

/** The settings of a perturbation that are checked, without those for which the environment lacks words or objects. */
async function possible(
  environment: OpenedEnvironment,
  perturbation: Perturbation,
  known: readonly Perturbation[],
  task: Task,
  seed: string,
) {
  let lacks: string | undefined
  const kept: Condition[] = []
  for (const condition of settingsToCheck(perturbation).map((text) => parseCondition(text, known))) {
    try {
      await closeWorlds([await perturbed(environment, condition.applied).begin(task, createRandom(seed))])
      kept.push(condition)
    } catch (thrown) {
      if (thrown instanceof NotApplicable) lacks ??= `'${condition.label}' is left out: it ${thrown.needs}`
      else kept.push(condition)
    }
  }
  return { kept, lacks }
}

/** Environments of plug-ins, or those of the perturbations; the household if these fit any environment. */
function madeFor(conditions: readonly Condition[], registry: Registry): string[] {
  const own = registry.own('environment').map(({ name }) => name)
  if (own.length > 0) return own
  const names = conditions.flatMap(({ applied }) => applied.map(({ perturbation }) => perturbation.environment))
  const known = names.filter((name) => name !== undefined)
  return known.length === 0 ? ['household'] : [...new Set(known)]
}

/** The tasks to check on: those that are named by their ids, or a number of them, all kinds in turn. */
function chooseTasks(environment: OpenedEnvironment, text: string): readonly Task[] {
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

/** One table with a row for each condition and a column for each law, and below it what needs attention. */
async function survey(what: Survey): Promise<string> {
  const { environment, tasks, rows, seed, registry, findings } = what
  const laws = registry.list('law')
  const size = `${String(tasks.length)} of ${String(environment.tasks.length)} tasks`
  const above = [
    `${environment.name}: ${size}, seed ${seed}`,
    [...rows.values()].some(({ length }) => length > 1) &&
      'Tasks take turns with the settings of a row: its defaults, each value of each option, draws 1 to 5, and half of the intensity.',
  ]
  const table: string[][] = [['', 'opens', ...laws.map(({ name }) => name), 'leaks', 'length']]
  const below: string[] = []
  const progress = showCount('conditions')
  for (const [label, variants] of rows) {
    progress(table.length, rows.size)
    const counts = await surveyCondition(environment, tasks, variants, seed, laws)
    const isNarrow = variants.some(({ applied }) => applied.some(({ scope }) => scope !== undefined))
    const isClosed = counts.some(({ law }) => law === 'opens')
    const text = isClosed || isNarrow ? undefined : await surveyText(environment, tasks, variants, seed)
    const cells = laws.map(({ name }) => cellOf(counts, name))
    const figures = text === undefined ? [] : [String(text.leaks), percentOf(text.length)]
    table.push([label, isClosed ? cellOf(counts, 'opens') : 'yes', ...cells, ...figures])
    below.push(...remarksOn(what, label, counts, text))
  }
  if (rows.size > 0) progress.end()
  const single = [...rows.values()].flatMap(([one]) => (one!.applied.length === 1 ? one!.applied : []))
  const pairs = findings.holds ? await surveyPairs(environment, tasks, single, seed) : undefined
  if (pairs !== undefined) {
    table.push([pairRow, '', ...laws.map(({ name }) => (name === 'commutes' ? cellOf([pairs], pairs.law) : ''))])
    below.push(...remarksOn(what, pairRow, [pairs]))
  }
  return [textOf(above), layOut(table), textOf(below.flatMap((text) => text.split('\n')))].join('\n\n').trimEnd()
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
    ...(failure ? [describeFailure(failure.task, failure.finding, { ...replay, condition: failure.label })] : []),
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
