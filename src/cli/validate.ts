import { Command } from 'commander'
import type { Task } from '../core/environment.js'
import { describeLeaks } from '../core/dose.js'
import { ShaketableError } from '../core/errors.js'
import type { Perturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { advertisedButRefused } from '../environments/advertised.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { spreadTasks } from '../environments/spread-tasks.js'
import { checkConforms } from '../laws/conforms.js'
import type { Law } from '../laws/index.js'
import type { LawCount } from '../laws/survey.js'
import { countLeaks, surveyColumn, surveyPairs } from '../laws/survey.js'
import type { Column } from '../run/columns.js'
import { parseColumn, placeColumn } from '../run/columns.js'
import { optionsFromFlags } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import type { EnvironmentFlagValues, PluginFlag } from './_flags.js'
import {
  addEnvironmentFlags,
  addPluginFlag,
  names,
  pickEnvironmentFlags,
  readPlugins,
  severalEnvironments,
} from './_flags.js'
import { tryOwn } from './_try-own.js'
import type { Replay } from './_findings.js'
import { cellOf, describeExample, describeFailure } from './_findings.js'
import { escapeLine, print } from './_lines.js'

interface Options extends EnvironmentFlagValues, PluginFlag {
  readonly env: readonly string[]
  readonly perturb?: readonly string[]
  readonly tasks: string
  readonly seed: string
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
    .option('--tasks <n|id>', 'number of tasks, all kinds in turn, or the id of one task', '12')
    .option('--seed <text>', 'seed of the perturbations and random walks', '0')
  return addEnvironmentFlags(addPluginFlag(command))
    .addHelpText(
      'after',
      `${severalEnvironments}\n\nThe laws:\n${shipped
        .list('law')
        .map(({ name, summary }) => `  ${name}: ${summary}`)
        .join('\n')}`,
    )
    .action(validate)
}

async function validate({ env, perturb, plugin = [], tasks, seed, ...rest }: Options): Promise<void> {
  const registry = await readPlugins({ plugin })
  const own = registry.own('lens')
  const known = registry.list('lens')
  let failed = await tryOwn(registry)
  const isAboutEpisodes = (['lens', 'environment', 'law'] as const).some((kind) => registry.own(kind).length > 0)
  if (plugin.length > 0 && !isAboutEpisodes && (perturb ?? env) === undefined) {
    if (failed) process.exitCode = 1
    return
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
  const flags = pickEnvironmentFlags(rest)
  const environments = env ?? madeFor(written, registry)
  for (const name of environments) {
    const given = optionsFromFlags(name, flags, environments, registry)
    const environment = await registry.find('environment', name).open(given)
    const { speaks } = environment
    const aliases = [name, speaks]
    const isExplicit = env !== undefined && perturb !== undefined
    const columns = written
      .filter(({ applied }) => isExplicit || applied.some(({ perturbation }) => isMadeFor(perturbation, aliases)))
      .map((column) => placeColumn(column, [name], known, new Map(speaks === undefined ? [] : [[name, speaks]])))
    const options = [...Object.entries(given), ...plugin.map((path) => ['plugin', path])].flatMap(([key, value]) => [
      `--${key!}`,
      value!,
    ])
    const isOne = !/^\d+$/.test(tasks)
    const chosen = isOne ? [environment.find(tasks)] : chooseTasks(environment, readCount(tasks))
    if (!(await conforms(environment, chosen, seed))) {
      failed = true
      continue
    }
    if (await report({ environment, tasks: chosen, columns, seed, options, laws: registry.list('law') })) failed = true
    // A form may need a certain kind of task, so this samples every kind, however few tasks the laws are checked on.
    if (!isOne) await lint(environment, chooseTasks(environment, Math.max(chosen.length, lintedTasks)), seed)
  }
  if (failed) process.exitCode = 1
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
async function conforms(environment: OpenedEnvironment, tasks: readonly Task[], seed: string): Promise<boolean> {
  const { misfits, isElsewhere } = await checkConforms(environment, tasks, seed)
  for (const { task, detail } of misfits) {
    await print(escapeLine(`${environment.name}, task ${task.id}: does not conform: ${detail}`))
  }
  if (misfits.length > 0) await print('Laws of perturbations are not checked in an environment that does not conform.')
  else if (isElsewhere) await print(`${environment.name} conforms on ${String(tasks.length)} tasks: ${conforming}.\n`)
  return misfits.length === 0
}

interface Survey {
  readonly environment: OpenedEnvironment
  readonly tasks: readonly Task[]
  readonly columns: readonly Column[]
  readonly seed: string
  readonly options: readonly string[]
  readonly laws: readonly Law[]
}

/** Prints the table of laws of an environment, a row at a time. @returns whether a law fails */
async function report(survey: Survey): Promise<boolean> {
  const { environment, tasks, columns, seed, options, laws } = survey
  const heads = ['opens', ...laws.map(({ name }) => name)]
  const both = 'every two of them'
  const labelWidth = Math.max(both.length, ...columns.map(({ label }) => label.length))
  const row = (label: string, cells: readonly string[]): Promise<void> =>
    print([label.padEnd(labelWidth), ...cells.map((cell) => cell.padEnd(12))].join('  ').trimEnd())
  await print(
    `${environment.name}: ${String(tasks.length)} of ${String(environment.tasks.length)} tasks, seed ${escapeLine(seed)}\n\n`,
  )
  await row('', heads)

  const below: string[] = environment.notes.map((note) => `note: ${note}`)
  const take = async (label: string, column: string, counts: readonly LawCount[]): Promise<void> => {
    await row(
      label,
      heads.map((law) => {
        const count = counts.find((one) => one.law === law)
        return law === 'opens' && count === undefined && label !== both ? 'yes' : cellOf(count)
      }),
    )
    const replay: Replay = { environment: environment.name, column, seed, options }
    for (const { failure, reasons, law, example } of counts) {
      if (failure !== undefined) below.push(describeFailure(failure.task, failure.finding, replay))
      for (const reason of reasons) below.push(`${column}, ${law}: not checked. ${reason}`)
      if (example !== undefined) below.push(describeExample(example.task, example.evidence))
    }
    failed ||= counts.some(({ fails }) => fails > 0)
  }
  let failed = false
  for (const { label, applied } of columns) {
    const counts = await surveyColumn(environment, tasks, applied, seed, laws)
    await take(label, label, counts)
    if (counts.some(({ law }) => law === 'opens') || applied.some(({ scope }) => scope !== undefined)) continue
    const { leaks, leaked = [] } = await countLeaks(environment, tasks, applied, seed)
    if (leaks > 0) {
      below.push(
        `warning: ${label}: old vocabulary was still shown ${String(leaks)} times in ${String(tasks.length)} tasks: ${describeLeaks(leaked)}.`,
      )
    }
  }
  const single = columns.flatMap(({ applied }) => (applied.length === 1 ? applied : []))
  const pairs = failed ? undefined : await surveyPairs(environment, tasks, single, seed)
  if (pairs !== undefined) await take(both, both, [pairs])

  if (below.length > 0) await print(`\n${below.map((text) => escapeLines(text)).join('\n')}`)
  return failed
}

/** Prints the advertised action forms that are never accepted. */
async function lint(environment: OpenedEnvironment, tasks: readonly Task[], seed: string): Promise<void> {
  const refused = await advertisedButRefused(environment, tasks, createRandom(seed))
  if (refused.length === 0) return
  const forms = refused.map((form) => `'${escapeLine(form)}'`).join(', ')
  const seen = `no possible action in ${String(tasks.length)} tasks has ${refused.length === 1 ? 'this form' : 'these forms'}`
  await print(`\nwarning: the instruction advertises ${forms}, but ${seen}.`)
}

function escapeLines(text: string): string {
  return text.split('\n').map(escapeLine).join('\n')
}

function readCount(text: string): number {
  if (Number(text) >= 1) return Number(text)
  throw new ShaketableError('usage', `--tasks: expected a number of tasks from 1, or the id of a task, got '${text}'.`)
}

/** At most `wanted` tasks, all kinds in turn. */
function chooseTasks(environment: OpenedEnvironment, wanted: number): readonly Task[] {
  const chosen = spreadTasks(environment.tasks).slice(0, wanted)
  if (chosen.length > 0) return chosen
  throw new ShaketableError('bad-input', `The environment '${environment.name}' has no tasks with these options.`)
}
