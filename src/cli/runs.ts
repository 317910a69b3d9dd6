import { existsSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { RunSummary } from '../run/find-runs.js'
import { findRuns, isRun, summariseRun } from '../run/find-runs.js'
import { percentOf } from '../run/progress.js'
import type { CheckedRun } from '../run/store/check-run.js'
import { checkRun } from '../run/store/check-run.js'
import { fitTo } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, usageError } from './_flags.js'
import { follow } from './_follow.js'
import { escapeLine, layOut, number, oneLine, print, printDocument, say, textOf, wrap } from './_lines.js'
import { exits, stopSignal } from './_signals.js'

/** The most problems that are printed; --json has all. */
const maxPrinted = 50

const flags = [
  [
    '--check',
    'check that every line of the files of a run can be read and every episode has its trajectory; exit code 1 if not',
  ],
  ['--follow', 'show the progress of a run that is being played, until it ends'],
  ['--json', 'print everything as one JSON document'],
] as const

/** `shaketable runs`: lists the runs of a folder, or shows one of them. */
export const runsCommand = () =>
  makeCommand(
    'runs',
    'Lists the runs below a folder, the last changed first: state, episodes, success, models, conditions and environments. For a run itself it shows all of these, and what was added to its plan; or it checks its files.',
    { places: [['[folder]', 'a folder with runs, or one run', 'runs']], flags, run: runs },
  )

async function runs(folder: string, { check, follow: isFollowed, json }: OptionsOf<typeof flags>): Promise<void> {
  if (check) {
    const checked = checkRun(folder)
    if (checked.findings.length > 0) process.exitCode = exits.wrong
    return json ? printDocument({ folder, ...checked }) : print(describeCheck(folder, checked))
  }
  const width = Math.max(40, Math.min(160, process.stdout.columns || 100))
  const isOne = isRun(folder)
  if (isFollowed && !isOne) throw usageError(`--follow: expected one run, got ${folder}. Give the folder of a run.`)
  const followed = isFollowed && (await follow(folder, process.stderr, stopSignal()))
  const found = followed ? [followed] : isOne ? [summariseRun(folder)] : listRuns(folder)
  if (json) return printDocument({ folder, runs: found.map(asJson) })
  if (isOne) return print(describeRun(found[0]!, width))
  if (found.length > 0) return print(describeRuns(folder, found, width))
  say(
    `There is no run in ${escapeLine(folder)}. \`shaketable run --out ${escapeLine(join(folder, 'first'))}\` makes one.`,
  )
}

function wrongFolder(what: string, advice: string): ShaketableError {
  return new ShaketableError('bad-input', `Expected a folder with runs, but ${what}. ${advice}`)
}

function listRuns(folder: string): RunSummary[] {
  if (!existsSync(folder))
    throw wrongFolder(`there is no ${folder}`, 'Give the folder that holds them; `shaketable run` makes runs in runs/.')
  try {
    return findRuns(folder)
      .map(summariseRun)
      .sort((one, other) => other.changed - one.changed)
  } catch (thrown) {
    throw wrongFolder(`${folder} cannot be read: ${messageOf(thrown)}`, 'Check the path.')
  }
}

function describeCheck(folder: string, { findings, remarks }: CheckedRun): string {
  const isSound = findings.length === 0
  return textOf([
    isSound ? `${folder} is sound.` : `${folder} has ${counted(findings.length, 'problem')}:`,
    ...findings.slice(0, maxPrinted).map((finding) => `  ${finding}`),
    findings.length > maxPrinted && `  … and ${number(findings.length - maxPrinted)} more; see --json`,
    ...remarks.map((remark) => `Note: ${remark}`),
    !isSound &&
      'The same `shaketable run` plays the episodes of rows that cannot be read. To have another episode played again, remove its line from outcomes.jsonl first.',
  ])
}

/** Environments, models and conditions of a plan. */
function namesOf({ content }: RunSummary) {
  const { environments = [], models = [], conditions = [] } = content?.plan ?? {}
  return {
    environments: environments.map(({ name }) => name),
    models: models.map(({ name }) => name),
    conditions: conditions.map(({ label }) => label),
  }
}

/** Success of all models together, clean → perturbed. */
function successOf({ content }: RunSummary): string {
  const rateOf = (side: 'clean' | 'perturbed'): string => {
    const all = content?.tally.models.map((model) => model[side]) ?? []
    const sum = (of: 'valid' | 'successes'): number => all.reduce((total, one) => total + one[of], 0)
    return percentOf({ valid: sum('valid'), successes: sum('successes') })
  }
  return `${rateOf('clean')} → ${rateOf('perturbed')}`
}

/** The list as a table, a line a run; a second line says why one has stopped, or what is damaged. */
function describeRuns(root: string, runs: readonly RunSummary[], width: number): string {
  const short = (names: readonly string[]): string =>
    fitTo(names.length > 1 ? `${number(names.length)}: ${names.slice(0, 4).join(', ')}` : (names[0] ?? ''), 18)
  const rows = runs.map((run) => {
    const { models, conditions, environments } = namesOf(run)
    const { already = 0, planned = 0 } = run.content?.tally ?? {}
    const episodes = already === planned ? number(planned) : `${number(already)} of ${number(planned)}`
    const name = fitTo(oneLine(relative(root, run.folder)), 28)
    const names = [models, conditions, environments].map(short)
    return [name, run.state, episodes, successOf(run), dateOf(run), ...names].map(oneLine)
  })
  const heads = ['run', 'state', 'episodes', 'success', 'changed', 'models', 'conditions', 'environments']
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
  const where = oneLine(folder)
  const facts = [
    ['state', [state, ...(why === undefined ? [] : [why])].join(': ')],
    ...(content ? factsOf(content) : []),
    ['changed', `${dateOf(run)} UTC`],
    ...(content?.history ?? []).map(({ date, added, stored }) => [
      'plan',
      `${date}: ${added} (${counted(stored, 'episode')} stored at that time)`,
    ]),
    ['next', `shaketable report ${where}`],
  ] as readonly (readonly [name: string, value: string])[]
  const room = Math.max(...facts.map(([name]) => name.length)) + 2
  const lines = facts.flatMap(([name, value]) =>
    wrap(`${name.padEnd(room)}${escapeLine(value.slice(0, 4000))}`, width, ' '.repeat(room)),
  )
  return [where, ...lines].join('\n')
}

/** What a run plays, and how far it is. */
function factsOf({ plan, tally }: NonNullable<RunSummary['content']>): (readonly [string, string])[] {
  const { already, planned, errors } = tally
  const broken = errors > 0 ? `, ${number(errors)} in error` : ''
  return [
    ['episodes', `${number(already)} of ${number(planned)}${broken}`],
    ...plan.environments.map(
      ({ name, version, tasks }) =>
        ['environment', `${name}, version ${version}: ${counted(tasks.length, 'task')}`] as const,
    ),
    ['conditions', `${number(plan.conditions.length)}: ${plan.conditions.map(({ label }) => label).join(', ')}`],
    ['agents', plan.agents.map(({ name }) => name).join(', ')],
    ['temperatures', plan.temperatures.join(', ')],
    ['seeds', plan.seeds.join(', ')],
    ...tally.models.map(
      ({ model, clean, perturbed }) =>
        ['model', `${model}: success ${percentOf(clean)} → ${percentOf(perturbed)}, clean → perturbed`] as const,
    ),
  ]
}

function asJson(run: RunSummary) {
  const { folder, state, why, changed, content } = run
  const { environments, conditions } = namesOf(run)
  return {
    ...{ folder, name: basename(folder), state, ...(why !== undefined && { why }) },
    changed: new Date(changed).toISOString(),
    ...(content && {
      episodes: { planned: content.tally.planned, stored: content.tally.already, errors: content.tally.errors },
      environments,
      conditions,
      agents: content.plan.agents.map(({ name }) => name),
      temperatures: content.plan.temperatures,
      seeds: content.plan.seeds,
      models: content.tally.models.map(({ model: name, clean, perturbed }) => ({ name, clean, perturbed })),
      history: content.history,
    }),
  }
}
