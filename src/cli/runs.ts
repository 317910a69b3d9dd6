import { existsSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describeTasks } from '../../reports/index.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import { type RunSummary, findRuns, isRun, summariseRun } from '../run/find-runs.js'
import { type ProgressStream, percentOf, showProgress } from '../run/progress.js'
import { checkRun } from '../run/store/read-run.js'
import { fitTo, wrap } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import { type OptionsOf, makeCommand, usageError } from './_flags.js'
import { escapeLine, layOut, number, oneLine, print, printDocument, printLines, say } from './_lines.js'
import { axesOf } from './_run-text.js'
import { exits, stopSignal } from './_signals.js'

/** The most problems that are printed; --json has all. */
const maxPrinted = 50

const flags = [
  ['--check', 'check that every line of the files of a run can be read; exit code 1 if not'],
  ['--follow', 'show the progress of a run that is being played, until it ends'],
  ['--json', 'print everything as one JSON document'],
] as const

/** `shaketable runs`: lists the runs of a folder, or shows one of them. */
export const runsCommand = () =>
  makeCommand({ places: [['[folder]', 'a folder with runs, or one run', 'runs']], flags, run: runs })

async function runs(folder: string, { check, follow: isFollowed, json }: OptionsOf<typeof flags>): Promise<void> {
  if (check) return checkFiles(folder, json === true)
  const width = Math.max(40, Math.min(160, process.stdout.columns || 100))
  const isOne = isRun(folder)
  if (isFollowed && !isOne) throw usageError(`--follow: expected one run, got ${folder}. Give the folder of a run.`)
  const followed = isFollowed && (await follow(folder, process.stderr, stopSignal()))
  const summaries = followed ? [followed] : isOne ? [summariseRun(folder)] : listRuns(folder)
  if (json) return printDocument({ folder, runs: summaries.map(asJson) })
  if (isOne) return print(describeRun(summaries[0]!, width))
  if (summaries.length > 0) return print(describeRuns(folder, summaries, width))
  say(
    `There is no run in ${escapeLine(folder)}. \`shaketable run --out ${escapeLine(join(folder, 'first'))}\` makes one.`,
  )
}

async function checkFiles(folder: string, json: boolean): Promise<void> {
  const { findings, remarks } = checkRun(folder)
  const isSound = findings.length === 0
  if (!isSound) process.exitCode = exits.wrong
  if (json) return printDocument({ folder, findings, remarks })
  await printLines([
    isSound ? `${folder} is sound.` : `${folder} has ${counted(findings.length, 'problem')}:`,
    ...findings.slice(0, maxPrinted).map((finding) => `  ${finding}`),
    findings.length > maxPrinted && `  … and ${number(findings.length - maxPrinted)} more; see --json`,
    ...remarks.map((remark) => `Note: ${remark}`),
    !isSound &&
      'The same `shaketable run` plays the episodes of rows that cannot be read. To have another episode played again, remove its line from outcomes.jsonl first.',
  ])
}

/** Milliseconds between two readings of a run, at least. */
const pollMs = 1000
/** A large run takes long to read: so many times as long nothing is read. */
const restFactor = 9

/** Shows the progress of a run that another process plays, until it ends or `stop`. @returns its last state */
export async function follow(folder: string, stream: ProgressStream, stop: AbortSignal): Promise<RunSummary> {
  let run = summariseRun(folder)
  if (run.content === undefined) return run
  const { already } = run.content.tally
  const progress = showProgress(stream, () => {
    const { tally } = run.content!
    return { tally: { ...tally, already, played: tally.already - already } }
  })
  while (!stop.aborted && run.state === 'running') {
    const began = performance.now()
    const next = summariseRun(folder)
    if (next.content === undefined) break
    run = next
    const rest = Math.max(pollMs, restFactor * (performance.now() - began))
    await delay(rest, undefined, { signal: stop }).catch(() => undefined)
  }
  progress.end()
  return run
}

function listRuns(folder: string): RunSummary[] {
  try {
    return findRuns(folder)
      .map(summariseRun)
      .sort((one, other) => other.changed - one.changed)
  } catch (thrown) {
    const what = existsSync(folder) ? `${folder} cannot be read: ${messageOf(thrown)}` : `there is no ${folder}`
    const advice = 'Give the folder that holds them; `shaketable run` makes runs in runs/.'
    throw new ShaketableError('bad-input', `Expected a folder with runs, but ${what}. ${advice}`)
  }
}

/** Success of all models together, clean → perturbed. */
function successOf({ content }: RunSummary): string {
  const rateOf = (side: 'clean' | 'perturbed'): string => {
    const all = content?.tally.models.map((model) => model[side]) ?? []
    const sum = (of: 'valid' | 'successes'): number => all.reduce((total, row) => total + row[of], 0)
    return percentOf({ valid: sum('valid'), successes: sum('successes') })
  }
  return `${rateOf('clean')} → ${rateOf('perturbed')}`
}

/** The list as a table, a line a run; a second line says why one has stopped, or what is damaged. */
function describeRuns(root: string, runs: readonly RunSummary[], width: number): string {
  const rows = runs.map((run) => {
    const { already = 0, planned = 0 } = run.content?.tally ?? {}
    const name = fitTo(oneLine(relative(root, run.folder)), 28)
    const models = run.content?.plan.models ?? []
    const named = `${number(models.length)}: ${models.map((model) => model.name).join(', ')}`
    return [name, run.state, `${number(already)} of ${number(planned)}`, successOf(run), dateOf(run), named].map(
      oneLine,
    )
  })
  const heads = ['run', 'state', 'episodes', 'success', 'changed', 'models']
  const [head, ...lines] = layOut([heads, ...rows]).split('\n')
  const listed = runs.flatMap(({ why }, place) => [lines[place]!, ...(why === undefined ? [] : [`  ${oneLine(why)}`])])
  const last = `${counted(runs.length, 'run')}, success clean → perturbed. \`shaketable runs RUN\` shows one.`
  return [head!, ...listed, last].map((line) => fitTo(line, width)).join('\n')
}

function dateOf({ changed }: RunSummary): string {
  return new Date(changed).toISOString().slice(0, 16).replace('T', ' ')
}

/** All that is known of a run, a fact a line. */
function describeRun(run: RunSummary, width: number): string {
  const { folder, state, why, content } = run
  const facts: (readonly [name: string, value: string])[] = [['state', why === undefined ? state : `${state}: ${why}`]]
  if (content !== undefined) {
    const { plan, tally, history } = content
    const rates = tally.models.map(({ model, clean, perturbed }) => [
      model,
      percentOf(clean),
      '→',
      percentOf(perturbed),
    ])
    facts.push(
      ['episodes', `${number(tally.already)} of ${number(tally.planned)}, ${number(tally.errors)} in error`],
      ['tasks', describeTasks(plan)],
      ...Object.entries(axesOf(plan)).map(([axis, values]) => [axis, values.join(', ')] as const),
      ['success', rates.map((words) => words.join(' ')).join(', ')],
      ...history.map(
        ({ date, added, stored }) => ['added', `${date}: ${added} (${number(stored)} stored then)`] as const,
      ),
    )
  }
  facts.push(['changed', `${dateOf(run)} UTC`], ['next', `shaketable report ${folder}`])
  const room = Math.max(...facts.map(([name]) => name.length)) + 2
  const lines = facts.flatMap(([name, value]) =>
    wrap(`${name.padEnd(room)}${escapeLine(value.slice(0, 4000))}`, width, ' '.repeat(room)),
  )
  return [oneLine(folder), ...lines].join('\n')
}

function asJson({ folder, state, why, changed, content }: RunSummary) {
  const common = { folder, name: basename(folder), state, why, changed: new Date(changed).toISOString() }
  if (content === undefined) return common
  const { plan, tally, history } = content
  return {
    ...common,
    episodes: { planned: tally.planned, stored: tally.already, errors: tally.errors },
    ...axesOf(plan),
    models: tally.models.map(({ model: name, clean, perturbed }) => ({ name, clean, perturbed })),
    history,
  }
}
