import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Agent } from '../core/agent.js'
import { hashOf } from '../core/episode.js'
import type { Model } from '../core/model.js'
import { createRandom } from '../core/random.js'
import { findEnvironmentKind } from '../environments/index.js'
import { writeWhole } from '../files/write-whole.js'
import { plainTraits } from '../models/index.js'
import type { Budget } from '../run/budget.js'
import { createBudget, readBudgetFlags } from '../run/budget.js'
import { createConnection, createModel } from '../run/create-model.js'
import type { Exchanges } from '../run/exchanges.js'
import { openExchanges } from '../run/exchanges.js'
import type { Registry } from '../run/registry.js'
import { createRowWriter } from '../training/create-row-writer.js'
import { promptVersion } from '../training/synthesis/prompts.js'
import { ownPersonas, readPersonas } from '../training/synthesis/read-personas.js'
import { synthesise } from '../training/synthesis/synthesise.js'
import { teacher } from '../training/synthesis/teacher.js'
import type { Item, WorkFolder } from '../training/synthesis/work-folder.js'
import { describeYields, openWorkFolder } from '../training/synthesis/work-folder.js'
import { layTrajectory } from '../training/training-turns.js'
import type { OptionsOf } from './_flags.js'
import {
  budgetFlags,
  choice,
  exchangeFlags,
  makeCommand,
  mandatory,
  pluginFlag,
  readPlugins,
  refuseExisting,
  required,
  share,
  usageError,
  whole,
} from './_flags.js'
import { number, print, say, showCount } from './_lines.js'
import { exits, stopSignal } from './_signals.js'
import { findTextAgent, formatNames } from './collect.js'

/** AgentRefine's format: a Player who thinks and acts, and a DM who signals errors. */
const scriptedFormat = 'agentrefine'

const flags = [
  required('--model <name>', 'the model that writes; teacher writes offline, from tables'),
  [...whole('--count <n>', 'verified trajectories to make', 1, 10_000_000), mandatory],
  required('--out <file>', 'file to write the trajectories to'),
  ['--base-url <address>', 'an OpenAI-compatible server (default: OPENAI_BASE_URL)'],
  ['--personas <file>', 'JSON lines with a field persona (default: 200 of our own)'],
  ['--work <folder>', 'folder of all stages (default: beside --out)'],
  whole('--mistakes <n>', 'smallest number of mistakes in a trajectory, each corrected', 0, 20, 2),
  whole('--repairs <n>', 'further requests for a script or a trajectory that does not hold', 0, 10, 2),
  choice('--format <name>', 'format of the file', [...formatNames, scriptedFormat], scriptedFormat),
  ['--agent <name>', 'layout of the conversations, in all formats but agentrefine', undefined, 'react'],
  share('--temperature <t>', 'temperature, 0 to 2', { to: 2 }, 1),
  whole('--seed <n>', 'seed of the first round of personas; each further round adds 1', 0, 1e9, 0),
  whole('--max-tokens <n>', 'token limit of a reply', 100, 1_000_000, 8192),
  ['--force', 'replace an existing file, and stages of other settings'],
  'Speed, limits and cost:',
  whole('--concurrency <n>', 'personas underway at once', 1, 1024, 8),
  whole('--requests-per-minute <n>', 'limit of requests a minute to one server', 1, 1e9),
  ...budgetFlags,
  'Files:',
  ...exchangeFlags,
  pluginFlag,
] as const

type Options = OptionsOf<typeof flags>

/** `shaketable data synthesise --model NAME --count N --out FILE`: training data of synthesised worlds. */
export const synthesiseCommand = () =>
  makeCommand(
    'synthesise',
    'Makes training data as AgentRefine does: a persona becomes the script of a world, a model plays game master and player in it, with mistakes and corrections, and what does not hold against the script and its world is left out. The same command continues where it was stopped.',
    {
      flags,
      below:
        'Exit codes: 0 all were made, 1 too few hold, 2 a flag or file that cannot be used, 4 a budget is used up or a server does not answer; the same command continues.',
      run,
    },
  )

/** What is said of a session that stopped, and its exit code. */
const endings = {
  budget: { how: 'The budget is used up', code: exits.stopped },
  model: { how: 'The model does not answer', code: exits.stopped },
  yield: { how: 'Too few hold', code: exits.wrong },
  interrupted: { how: 'Interrupted', code: exits.interrupted },
} as const

async function run(options: Options): Promise<void> {
  const { out, force = false, count, model, format } = options
  const { seed, temperature, maxTokens, mistakes, repairs, concurrency } = options
  const registry = await readPlugins(options)
  const folder = options.work ?? `${out.replace(/\.jsonl?$/, '')}.stages`
  if (!existsSync(folder)) refuseExisting(out, force)
  if (resolve(out) === resolve(folder))
    throw usageError(`--work and --out are both ${out}. Give one of them another path.`)
  const agent = findTextAgent(registry, options.agent)
  const personas = options.personas === undefined ? ownPersonas() : readPersonas(options.personas)
  const limits = readBudgetFlags(options)
  const budget = createBudget(limits, () => performance.now())
  const exchanges = await openExchanges(options)
  let work: WorkFolder | undefined
  try {
    const writer = modelOf(options, registry, budget, exchanges)
    // What decides the rows of a folder. The number of trajectories does not, so that more can be made.
    const settings = {
      ...{ schema: 'shaketable-synthesis-1', prompts: promptVersion, ...(model === teacher.name && teacher.settings) },
      ...{ personas: hashOf(personas, 16), model, mistakes, repairs, temperature, seed, maxTokens },
    }
    work = await openWorkFolder(folder, settings, force)
    for (const note of exchanges?.notes ?? []) say(note)
    const stop = stopSignal()
    const progress = showCount('trajectories')
    const { verified, open, stopped } = await synthesise({
      ...{ model: writer, personas, count, work, seed, temperature, maxTokens, mistakes, repairs, concurrency },
      signal: exchanges?.stop === undefined ? stop : AbortSignal.any([stop, exchanges.stop]),
      progress: (made) => progress(made, count),
    })
    progress.end()
    await exchanges?.settle()
    if (exchanges?.stop?.aborted === true) throw exchanges.stop.reason
    const items = [...work.items.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
    const table = describeYields(items)
    writeWhole(join(folder, 'yields.md'), table, 'Give --work another folder')
    const rows = items.filter(({ turns }) => turns !== undefined).slice(0, count)
    const left = rows.length === 0 ? 0 : await writeRows(out, format, rows, work, agent)
    const { attempts, tokens } = budget.spent()
    const written = `${number(rows.length - left)} of ${number(count)} trajectories`
    const lines = [
      table,
      attempts > 0 &&
        `${number(attempts)} requests in this session, ${number(tokens.prompt + tokens.completion)} tokens`,
      open > 0 && `${number(open)} personas have no result, since requests failed`,
      left > 0 && `${number(left)} trajectories are longer than what the agent ${agent.name} shows, and left out`,
      `${rows.length === 0 ? `Nothing was written to ${out}` : `Wrote ${written} to ${out}`}; ${folder} holds the stages`,
    ]
    await print(lines.filter((line) => line !== false).join('\n'))
    if (stopped !== undefined) {
      const { how, code } = endings[stopped.why]
      const why = stopped.why === 'interrupted' ? '' : `: ${stopped.message.replace(/\.$/, '')}`
      const isYield = stopped.why === 'yield'
      say(
        `${how}${why}. ${isYield ? 'Read the reasons above, or choose another model' : 'The same command continues'}.`,
      )
      process.exitCode = verified >= count ? 0 : code
    }
    for (const sentence of exchanges?.summary() ?? []) say(sentence)
  } finally {
    await work?.close()
    await exchanges?.close()
  }
}

function modelOf(
  { model: name, baseUrl, concurrency, requestsPerMinute }: Options,
  registry: Registry,
  budget: Budget,
  exchanges: Exchanges | undefined,
): Model {
  const choice = { name, ...(baseUrl !== undefined && { baseUrl }) }
  if (exchanges?.choose !== undefined) return exchanges.choose(choice).model
  const limits = requestsPerMinute === undefined ? {} : { requestsPerMinute }
  const connection = { ...createConnection({ models: [choice], concurrency, ...limits }, say), budget }
  const model =
    name === teacher.name
      ? teacher
      : createModel(choice, undefined, process.env, plainTraits, connection, registry).model
  return exchanges?.wrap(model) ?? model
}

/** @returns the number of trajectories that are too long for the agent's layout */
async function writeRows(
  out: string,
  format: string,
  rows: readonly Item[],
  work: WorkFolder,
  agent: Agent,
): Promise<number> {
  const isScripted = format === scriptedFormat
  const writer = createRowWriter(out, isScripted ? 'lines' : format)
  try {
    let left = 0
    if (isScripted) {
      for (const { id, persona, script, turns } of rows) writer.writeRaw(JSON.stringify({ id, persona, script, turns }))
    } else {
      const environment = await findEnvironmentKind('scripted').open({ scripts: work.made })
      for (const { id, turns } of rows) {
        const world = await environment.begin(environment.find(id), createRandom(id))
        const row = layTrajectory(id, turns!, world, agent)
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
