import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { hashOf } from '../core/episode.js'
import type { Model } from '../core/model.js'
import { createRandom } from '../core/random.js'
import type { Agent } from '../core/agent.js'
import { findEnvironmentKind } from '../environments/index.js'
import { createRowWriter } from '../training/create-row-writer.js'
import { rowFormats } from '../training/row-formats.js'
import { profiles } from '../training/verify/options.js'
import type { ScriptedTurn } from '../training/verify/turn.js'
import { plainTraits } from '../models/index.js'
import type { Budget, BudgetFlags } from '../run/budget.js'
import { createBudget, readBudgetFlags, readPrices } from '../run/budget.js'
import { createConnection, createModel } from '../run/create-model.js'
import type { Exchanges } from '../run/exchanges.js'
import { openExchanges } from '../run/exchanges.js'
import type { Registry } from '../run/registry.js'
import { promptVersion } from '../training/synthesis/prompts.js'
import { ownPersonas, readPersonas } from '../training/synthesis/read-personas.js'
import type { SynthesisEnd } from '../training/synthesis/synthesise.js'
import { synthesise } from '../training/synthesis/synthesise.js'
import { teacher } from '../training/synthesis/teacher.js'
import { layTrajectory } from '../training/training-turns.js'
import type { StageRows, WorkFolder } from '../training/synthesis/work-folder.js'
import { openWorkFolder, describeYields } from '../training/synthesis/work-folder.js'
import { writeWhole } from '../files/write-whole.js'
import { findTextAgent, refuseWithoutLoss, scriptedFormat } from './collect.js'
import type { PluginFlag } from './_flags.js'
import {
  addBudgetFlags,
  addPluginFlag,
  choice,
  readPlugins,
  refuseExisting,
  share,
  usageError,
  whole,
} from './_flags.js'
import { number, print, say } from './_lines.js'
import { onStop } from './_signals.js'

interface Flags extends PluginFlag, BudgetFlags {
  readonly model: string
  readonly baseUrl?: readonly string[]
  readonly personas?: string
  readonly count: number
  readonly out: string
  readonly work?: string
  readonly mistakes: number
  readonly repairs: number
  readonly format: string
  readonly agent: string
  readonly temperature: number
  readonly seed: number
  readonly maxTokens: number
  readonly concurrency: number
  readonly requestsPerMinute?: number
  readonly record?: string
  readonly replay?: string
  readonly cache?: string
  readonly force?: boolean
}

/** Fewer trajectories were made than were asked for, since too few hold. */
const exitFewer = 1
/** A budget is used up, or a server does not answer. */
const exitStopped = 4
const exitInterrupted = 130

/** `shaketable data synthesise --model NAME --count N --out FILE`: training data of synthesised worlds. */
export function synthesiseCommand(): Command {
  const formats = [scriptedFormat, ...rowFormats.map(({ name }) => name)]
  const command = new Command('synthesise')
    .description(
      'Makes training data as AgentRefine does: a persona becomes the script of a world, a model plays game master and player in it, with mistakes and corrections, and what does not hold against the script and its world is left out. The same command continues where it was stopped.',
    )
    .requiredOption('--model <name>', 'the model that writes; teacher writes offline, from tables')
    .requiredOption(...whole('--count <n>', 'verified trajectories to make', 1, 10_000_000))
    .requiredOption('--out <file>', 'file to write the trajectories to')
    .option('--base-url <addresses>', 'OpenAI-compatible servers, separated by commas, asked in turn', (text) =>
      text.split(','),
    )
    .option('--personas <file>', 'JSON lines with a field persona (default: 200 of our own)')
    .option('--work <folder>', 'folder of all stages (default: beside --out)')
    .option(...whole('--mistakes <n>', 'smallest number of mistakes in a trajectory, each corrected', 0, 20, 2))
    .option(...whole('--repairs <n>', 'further requests for a script or a trajectory that does not hold', 0, 10, 2))
    .option(...choice('--format <name>', 'format of the file', formats, scriptedFormat))
    .option('--agent <name>', 'layout of the conversations, in all formats but agentrefine', 'react')
    .option(...share('--temperature <t>', 'temperature, 0 to 2', { to: 2 }, 1))
    .option(...whole('--seed <n>', 'seed of the first round of personas; each further round adds 1', 0, 1e9, 0))
    .option(...whole('--max-tokens <n>', 'token limit of a reply', 100, 1_000_000, 8192))
    .option('--force', 'replace an existing file, and stages of other settings')
    .optionsGroup('Speed, limits and cost:')
    .option(...whole('--concurrency <n>', 'personas underway at once', 1, 1024, 8))
    .option(...whole('--requests-per-minute <n>', 'limit of requests a minute to one server', 1, 1e9))
  addBudgetFlags(command)
    .optionsGroup('Files:')
    .option('--record <file>', 'record every exchange with the model in a file')
    .option('--replay <file>', 'replay such a file, without a server or a key')
    .option('--cache <folder>', 'answer repeated requests from this folder instead of the model')
  return addPluginFlag(command)
    .addHelpText(
      'after',
      '\nExit codes: 0 all were made, 1 too few hold, 2 a flag or file that cannot be used, 4 a budget is used up or a server does not answer; the same command continues.',
    )
    .action(run)
}

async function run(flags: Flags): Promise<void> {
  const { out, force = false, count } = flags
  const registry = await readPlugins(flags)
  const folder = flags.work ?? `${out.replace(/\.jsonl?$/, '')}.stages`
  if (!existsSync(folder)) refuseExisting(out, force)
  if (resolve(out) === resolve(folder))
    throw usageError(`--work and --out are both ${out}. Give one of them another path.`)
  const agent = findTextAgent(registry, flags.agent)
  if (flags.mistakes > 0) refuseWithoutLoss(rowFormats.find(({ name }) => name === flags.format))
  const personas = flags.personas === undefined ? ownPersonas() : readPersonas(flags.personas)
  const limits = readBudgetFlags(flags)
  const isServed = flags.replay === undefined && flags.model !== teacher.name
  const prices = flags.prices === undefined ? undefined : readPrices(flags.prices, isServed ? [flags.model] : [])
  const budget = createBudget({ limits, prices, clock: () => performance.now() })
  const exchanges = await openExchanges(flags)
  let work: WorkFolder | undefined
  try {
    const models = modelsOf(flags, registry, budget, exchanges)
    work = await openWorkFolder(folder, settingsOf(flags, personas), force)
    for (const note of [...(exchanges?.notes ?? []), ...work.notes]) say(note)
    const stop = new AbortController()
    onStop(() => stop.abort())
    const isTerminal = process.stderr.isTTY
    const { seed, temperature, maxTokens, mistakes, repairs, concurrency } = flags
    const playing = { seed, temperature, maxTokens, mistakes, repairs, concurrency }
    const end = await synthesise({
      ...playing,
      models,
      personas,
      count,
      work,
      verify: { ...profiles.strict, minErrorTurns: mistakes },
      signal: exchanges?.stop === undefined ? stop.signal : AbortSignal.any([stop.signal, exchanges.stop]),
      progress: (verified) => {
        if (isTerminal) process.stderr.write(`\r${number(verified)} of ${number(count)} trajectories`)
      },
    })
    if (isTerminal) process.stderr.write('\n')
    await exchanges?.settle()
    if (exchanges?.stop?.aborted === true) throw exchanges.stop.reason
    await finish(flags, work, end, budget, agent)
    for (const sentence of exchanges?.summary() ?? []) say(sentence)
  } finally {
    await work?.close()
    await exchanges?.close()
  }
}

/** One model for each server. */
function modelsOf(
  flags: Flags,
  registry: Registry,
  budget: Budget,
  exchanges: Exchanges | undefined,
): readonly Model[] {
  const { model: name, baseUrl, concurrency, requestsPerMinute } = flags
  const addresses = baseUrl ?? [undefined]
  if (name === teacher.name) return [exchanges?.choose?.({ name }).model ?? exchanges?.wrap(teacher) ?? teacher]
  const choices = addresses.map((address, place) => ({
    name: place === 0 ? name : `${name} (${String(place + 1)})`,
    ...(place > 0 && { model: name }),
    ...(address !== undefined && { baseUrl: address }),
  }))
  if (exchanges?.choose !== undefined) return choices.map((one) => exchanges.choose!(one).model)
  const limits = requestsPerMinute === undefined ? {} : { requestsPerMinute }
  const connection = {
    ...createConnection({ models: choices, concurrency, ...limits }, say),
    // All servers have the price of the one model.
    budget: { meter: () => budget.meter(name) },
  }
  return choices.map((one) => {
    const { model } = createModel(one, undefined, process.env, plainTraits, connection, registry)
    return exchanges?.wrap(model) ?? model
  })
}

/** What decides the rows of a folder. The number of trajectories does not, so that more can be made. */
function settingsOf(flags: Flags, personas: readonly string[]) {
  const { model, mistakes, repairs, temperature, seed, maxTokens } = flags
  const decided = { model, mistakes, repairs, temperature, seed, maxTokens }
  return {
    schema: 'shaketable-synthesis-1',
    prompts: promptVersion,
    ...(flags.model === teacher.name && teacher.settings),
    personas: hashOf(personas, 16),
    ...decided,
  }
}

/** What is said of a session that stopped, and its exit code. */
const endings = {
  budget: { how: 'The budget is used up', code: exitStopped },
  model: { how: 'The model does not answer', code: exitStopped },
  yield: { how: 'Too few hold', code: exitFewer },
  interrupted: { how: 'Interrupted', code: exitInterrupted },
} as const

/** Writes the file and the table, and says how it ended. */
async function finish(
  { out, count, format }: Flags,
  work: WorkFolder,
  { verified, open, stopped }: SynthesisEnd,
  budget: Budget,
  agent: Agent,
): Promise<void> {
  const table = describeYields(work)
  writeWhole(join(work.path, 'yields.md'), table, 'Give --work another folder')
  const rows = [...work.rows('trajectories').values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, count)
  const left = rows.length === 0 ? 0 : await writeRows(out, format, rows, work, agent)
  const { attempts, tokens } = budget.spent()
  const written = `${number(rows.length - left)} of ${number(count)} trajectories`
  const lines = [
    table,
    attempts > 0 && `${number(attempts)} requests in this session, ${number(tokens.prompt + tokens.completion)} tokens`,
    open > 0 && `${number(open)} personas have no result, since requests failed`,
    left > 0 && `${number(left)} trajectories are longer than what the agent ${agent.name} shows, and left out`,
    `${rows.length === 0 ? `Nothing was written to ${out}` : `Wrote ${written} to ${out}`}; ${work.path} holds the stages`,
  ]
  await print(lines.filter((line) => line !== false).join('\n'))
  if (stopped === undefined) return
  const { how, code } = endings[stopped.why]
  const why = stopped.why === 'interrupted' ? '' : `: ${stopped.message.replace(/\.$/, '')}`
  const next =
    stopped.why === 'yield' ? 'Read the reasons above, or choose another model' : 'The same command continues'
  say(`${how}${why}. ${next}.`)
  process.exitCode = verified >= count ? 0 : code
}

type Row = StageRows['trajectories']

/** @returns the number of trajectories that are too long for the agent's layout */
async function writeRows(
  out: string,
  format: string,
  rows: readonly Row[],
  work: WorkFolder,
  agent: Agent,
): Promise<number> {
  const writer = createRowWriter(out, format === scriptedFormat ? 'lines' : format)
  try {
    let left = 0
    if (format === scriptedFormat) {
      for (const { id, persona, script, turns } of rows) writer.writeRaw(JSON.stringify({ id, persona, script, turns }))
    } else {
      const environment = await findEnvironmentKind('scripted').open({ scripts: join(work.path, 'scripts.jsonl') })
      for (const { id, turns } of rows) {
        const world = await environment.begin(environment.find(id), createRandom(id))
        const row = layTrajectory(id, turns as readonly ScriptedTurn[], world, agent)
        if (row === undefined) left++
        else writer.write(row)
      }
    }
    writer.close()
    return left
  } finally {
    writer.abandon()
  }
}
