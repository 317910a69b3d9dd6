import { closeWorlds } from '../core/close-worlds.js'
import type { Task } from '../core/environment.js'
import { NotApplicable } from '../core/errors.js'
import { perturb as perturbed } from '../core/perturb.js'
import { createRandom } from '../core/random.js'
import { describeLeaks } from '../define/describe-leaks.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { spreadTasks } from '../environments/spread-tasks.js'
import { checkConforms } from '../laws/conforms.js'
import type { Finding, Law } from '../laws/index.js'
import type { LawCount, Variant } from '../laws/survey.js'
import { settingsToCheck, surveyCondition, surveyPairs, surveyText } from '../laws/survey.js'
import { type Condition, parseCondition, placeCondition } from '../run/conditions.js'
import { readTasks } from '../run/experiment-flags.js'
import { type Registry, shipped } from '../run/registry.js'
import { wrap } from '../tables/plain.js'
import { type OptionsOf, environmentFlags, makeCommand, names, openNamed, readPlugins, usageError } from './_flags.js'
import { escapeLine, layOut, print, printLines, quote, showCount, textOf } from './_lines.js'
import { exits } from './_signals.js'

const pairRow = 'two of them'

const flags = [
  ['--perturb <names>', 'conditions, separated by commas (default: those of --plugin, or all)', names],
  ['--env <names>', 'environments, separated by commas (default: those that the perturbations are for)', names],
  ['--tasks <n|all|ids>', 'number of tasks, all kinds in turn, "all", or the ids of tasks', undefined, '12'],
  ['--seed <text>', 'seed of the perturbations and random walks', undefined, '0'],
  ...environmentFlags,
] as const

/** `shaketable validate`: checks what perturbations promise, on real tasks. */
export function validateCommand() {
  const laws = shipped.list('law').map(({ name, summary }) => `  ${name}: ${summary}`)
  return makeCommand({ flags, below: `The laws:\n${laws.join('\n')}`, run: validate })
}

async function validate(options: OptionsOf<typeof flags>): Promise<void> {
  const { env, perturb, plugin = [], seed, set = [] } = options
  /** Sentences on environments, and on conditions that were left out. */
  const notes: string[] = []
  const registry = await readPlugins({ plugin })
  const [own, known] = [registry.own('lens'), registry.list('lens')]
  const isAboutEpisodes = (['lens', 'environment', 'law'] as const).some((kind) => registry.own(kind).length > 0)
  if (plugin.length > 0 && !isAboutEpisodes && (perturb ?? env) === undefined)
    return printLines([`${plugin.join(', ')} can be used; play it, since no law is about what it defines.`])
  const written = (perturb ?? (own.length > 0 ? own : known).map(({ name }) => name))
    .map((name) => parseCondition(name, known))
    .filter(({ applied }) => applied.length > 0)
  if (written.length === 0)
    throw usageError("Expected a perturbation to validate, got 'none'. Name one, or leave --perturb out.")
  const environments = env ?? madeFor(written, registry)
  for (const name of environments) {
    const environment = await openNamed(registry, name, options, environments)
    const tasks = chooseTasks(environment, options.tasks)
    const { misfits, isElsewhere } = await checkConforms(environment, tasks, seed)
    const unfit = misfits.map(({ task, detail }) => `${name}, task ${task.id}: does not conform: ${detail}`)
    notes.push(...environment.notes, ...unfit)
    if (unfit.length > 0) process.exitCode = exits.wrong
    else if (isElsewhere) notes.push(`${name} conforms to the protocol on ${String(tasks.length)} tasks.`)
    const rows = new Map<string, readonly Variant[]>()
    for (const condition of unfit.length > 0 ? [] : written) {
      const isMade = condition.applied.some(({ perturbation }) => [undefined, name].includes(perturbation.environment))
      if ((env === undefined || perturb === undefined) && !isMade) continue
      const texts = perturb === undefined ? settingsToCheck(condition.applied[0]!.perturbation) : undefined
      const variants: Condition[] = []
      let needs: string | undefined
      for (const part of texts?.map((text) => parseCondition(text, known)) ?? [condition]) {
        const lacking = texts && (await whatLacks(environment, part, tasks[0]!, seed))
        if (lacking === undefined) variants.push(placeCondition(part, [name], known))
        else needs ??= `${name}: '${part.label}' is left out: it ${lacking}`
      }
      if (needs !== undefined) notes.push(needs)
      if (variants.length > 0) rows.set(condition.label, variants)
    }
    if (rows.size === 0) continue
    const given = [
      ...set.filter((text) => text.startsWith(`${name}.`)).flatMap((text) => ['--set', text]),
      ...plugin.flatMap((path) => ['--plugin', path]),
    ]
    const replay: Replay = (task, label) =>
      ['shaketable', 'play', name, '--task', task.id, '--perturb', label, '--seed', seed, ...given].map(quote).join(' ')
    await print(`${await survey(environment, tasks, rows, registry.list('law'), seed, replay)}\n`)
  }
  if (notes.length > 0) await printLines(notes)
}

/** What an environment lacks for a condition: words or objects; undefined for nothing. */
async function whatLacks(environment: OpenedEnvironment, { applied }: Condition, task: Task, seed: string) {
  try {
    await closeWorlds([await perturbed(environment, applied).begin(task, createRandom(seed))])
  } catch (thrown) {
    // Other errors are those of laws.
    if (thrown instanceof NotApplicable) return thrown.needs
  }
  return undefined
}

/** Environments of plug-ins, or those of the perturbations; the household if these fit any environment. */
function madeFor(conditions: readonly Condition[], registry: Registry): string[] {
  const environments = registry.own('environment').map(({ name }) => name)
  if (environments.length > 0) return environments
  const names = conditions.flatMap(({ applied }) =>
    applied.flatMap(({ perturbation }) => perturbation.environment ?? []),
  )
  return names.length === 0 ? ['household'] : [...new Set(names)]
}

/** The tasks to check on: those that are named by their ids, or a number of them, all kinds in turn. */
function chooseTasks(environment: OpenedEnvironment, text: string): readonly Task[] {
  const wanted = text === 'all' ? Infinity : readTasks(text)
  if (typeof wanted !== 'number') return [...new Set(wanted)].map((id) => environment.find(id))
  if (wanted < 1)
    throw usageError(`--tasks: expected a number of tasks from 1, all, or the ids of tasks, got '${text}'.`)
  return spreadTasks(environment.tasks).slice(0, wanted)
}

/** One table with a row for each condition and a column for each law, and below it what needs attention. */
async function survey(
  environment: OpenedEnvironment,
  tasks: readonly Task[],
  rows: ReadonlyMap<string, readonly Variant[]>,
  laws: readonly Law[],
  seed: string,
  replay: Replay,
): Promise<string> {
  const above = [
    `${environment.name}: ${String(tasks.length)} of ${String(environment.tasks.length)} tasks, seed ${seed}`,
    [...rows.values()].some(({ length }) => length > 1) &&
      'Tasks take turns with the settings of a row: its defaults, each value of each option, draws 1 to 5, and half of the intensity.',
  ]
  const table: string[][] = [['', 'opens', ...laws.map(({ name }) => name), 'leaks']]
  const below: string[] = []
  const progress = showCount('conditions')
  for (const [label, variants] of rows) {
    progress(table.length, rows.size)
    const counts = await surveyCondition(environment, tasks, variants, seed, laws)
    const isNarrow = variants.some(({ applied }) => applied.some(({ scope }) => scope !== undefined))
    const isClosed = counts.some(({ law }) => law === 'opens')
    const text = isClosed || isNarrow ? undefined : await surveyText(environment, tasks, variants, seed)
    const cells = laws.map(({ name }) => cellOf(counts, name))
    table.push([label, isClosed ? cellOf(counts, 'opens') : 'yes', ...cells, String(text?.leaks ?? '')])
    below.push(...remarksOn(replay, label, counts))
    if (text !== undefined && text.leaks > 0) {
      const { leaks, leaked = [] } = text
      below.push(`warning: ${label}: old vocabulary was shown ${String(leaks)} times: ${describeLeaks(leaked)}.`)
    }
  }
  progress.end()
  const single = [...rows.values()].flatMap(([variant]) => (variant!.applied.length === 1 ? variant!.applied : []))
  const pairs = process.exitCode === undefined ? await surveyPairs(environment, tasks, single, seed) : undefined
  if (pairs !== undefined) {
    table.push([pairRow, '', ...laws.map(({ name }) => (name === 'commutes' ? cellOf([pairs], pairs.law) : ''))])
    below.push(...remarksOn(replay, pairRow, [pairs]))
  }
  return [textOf(above), layOut(table), textOf(below)].filter((part) => part !== '').join('\n\n')
}

/** What needs attention of the counts of a row, in lines; a law that fails sets the exit code. */
function remarksOn(replay: Replay, label: string, counts: readonly LawCount[]): string[] {
  if (counts.some(({ fails }) => fails > 0)) process.exitCode = exits.wrong
  return counts.flatMap(({ failure, reasons, law, example }) => [
    ...(failure ? describeFailure(failure.task, failure.finding, failure.label, replay) : []),
    ...reasons.map((reason) => `${label}, ${law}: not checked. ${reason}`),
    ...(example ? describeEvidence(example.evidence, `in ${example.task.id}:`, 'before', 'after the change') : []),
  ])
}

/** A cell of the table of laws. */
function cellOf(counts: readonly LawCount[], law: string): string {
  const count = counts.find((entry) => entry.law === law)
  if (count === undefined) return ''
  const { holds, unchanged, unchecked, fails, example } = count
  if (fails > 0) return `FAILS ${String(fails)}/${String(fails + holds + unchanged + unchecked)}`
  if (example !== undefined || holds + unchanged === 0) return 'not checked'
  return holds > 0 ? `holds ${String(holds)}` : `unchanged ${String(unchanged)}`
}

/** A command line that plays a task under a condition by hand, which reproduces a failure. */
type Replay = (task: Task, label: string) => string

/** A failure in lines, with a command line that reproduces it. */
function describeFailure(task: Task, { law, detail = 'It fails.', evidence }: Finding, label: string, replay: Replay) {
  const head = `${label}, ${law}, in ${task.id}:`
  if (evidence === undefined) return [head, ...indent(detail)]
  const lines = describeEvidence(evidence, detail, 'expected', 'got')
  return [head, ...lines, `  replay by hand: ${replay(task, label)}`]
}

/** Where a law fails, or two texts that a person has to judge, in lines below a first one. */
function describeEvidence(evidence: NonNullable<Finding['evidence']>, head: string, first: string, second: string) {
  const { before, action, expected, got } = evidence
  return [
    head,
    ...(before.length > 0 ? [`after: ${before.join('; ')}`] : []),
    ...(action === undefined ? [] : [`said: ${action}`]),
    `${first}: ${expected}`,
    `${second}: ${got}`,
  ].flatMap(indent)
}

function indent(text: string): string[] {
  return wrap(`  ${escapeLine(text.length > 600 ? `${text.slice(0, 600)}…` : text)}`, 120, '    ')
}
