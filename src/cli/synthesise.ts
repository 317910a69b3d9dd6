import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../core/agent.js'
import { hashOf } from '../core/episode.js'
import type { Model } from '../core/model.js'
import { createRandom } from '../core/random.js'
import { findEnvironmentKind } from '../environments/index.js'
import { writeWhole } from '../files/write-whole.js'
import { plainTraits } from '../models/index.js'
import { type Budget, createBudget, readBudgetFlags } from '../run/budget.js'
import { createConnection, createModel } from '../run/create-model.js'
import { type Exchanges, openExchanges } from '../run/exchanges.js'
import type { Registry } from '../run/registry.js'
import { createRowWriter } from '../training/create-row-writer.js'
import { promptVersion } from '../training/synthesis/prompts.js'
import { ownPersonas, readPersonas } from '../training/synthesis/read-personas.js'
import { synthesise } from '../training/synthesis/synthesise.js'
import { teacher } from '../training/synthesis/teacher.js'
import { type Item, type WorkFolder, describeYields, openWorkFolder } from '../training/synthesis/work-folder.js'
import { layTrajectory } from '../training/training-turns.js'
import type { OptionsOf } from './_flags.js'
import * as flag from './_flags.js'
import { number, print, say, showCount, textOf } from './_lines.js'
import { exits, stopSignal } from './_signals.js'
import { findTextAgent, formatNames } from './collect.js'

/** AgentRefine's format: a Player who thinks and acts, and a DM who signals errors. */
const scriptedFormat = 'agentrefine'

const flags = [
  flag.required('--model <name>', 'the model that writes; teacher writes offline, from tables'),
  flag.whole('--count <n>', 'verified trajectories to make', 1, 10_000_000, flag.mandatory),
  flag.required('--out <file>', 'file to write the trajectories to; all stages are in a folder beside it'),
  ['--base-url <address>', 'an OpenAI-compatible server (default: OPENAI_BASE_URL)'],
  ['--personas <file>', 'JSON lines with a field persona (default: 200 of our own)'],
  flag.whole('--mistakes <n>', 'smallest number of mistakes in a trajectory, each corrected', 0, 20, 2),
  flag.whole('--repairs <n>', 'further requests for a script or a trajectory that does not hold', 0, 10, 2),
  flag.choice('--format <name>', 'format of the file', [...formatNames, scriptedFormat], scriptedFormat),
  ['--agent <name>', 'layout of the conversations, in all formats but agentrefine', undefined, 'react'],
  flag.share('--temperature <t>', 'temperature, 0 to 2', 0, 2, 1),
  flag.whole('--seed <n>', 'seed of the first round of personas; each further round adds 1', 0, 1e9, 0),
  flag.whole('--max-tokens <n>', 'token limit of a reply', 100, 1_000_000, 8192),
  ['--force', 'replace an existing file, and stages of other settings'],
  flag.whole('--concurrency <n>', 'personas underway at once', 1, 1024, 8),
  ...flag.budgetFlags,
  ...flag.exchangeFlags,
  flag.pluginFlag,
] as const

type Options = OptionsOf<typeof flags>

/** `shaketable data synthesise --model NAME --count N --out FILE`: training data of synthesised worlds. */
export const synthesiseCommand = () =>
  flag.makeCommand({
    flags,
    rules: [['--replay', 'excludes', '--record']],
    below:
      'Exit codes: 0 all were made, 1 too few hold, 2 a flag or file that cannot be used, 4 a budget is used up or a server does not answer; the same command continues.',
    run,
  })

/** How a session stopped, and its exit code. */
const endings = {
  budget: ['The budget is used up', exits.stopped],
  model: ['The model does not answer', exits.stopped],
  yield: ['Too few hold', exits.wrong],
  interrupted: ['Interrupted', exits.interrupted],
} as const

async function run(options: Options): Promise<void> {
  const { out, force = false, count, model } = options
  const { seed, temperature, maxTokens, mistakes, repairs, concurrency } = options
  const registry = await flag.readPlugins(options)
  const folder = `${out.replace(/\.jsonl?$/, '')}.stages`
  if (!existsSync(folder)) flag.refuseExisting(out, force)
  const agent = findTextAgent(registry, options.agent)
  const personas = options.personas === undefined ? ownPersonas() : readPersonas(options.personas)
  const budget = createBudget(readBudgetFlags(options), () => performance.now())
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
    await exchanges?.settle?.()
    if (exchanges?.stop?.aborted === true) throw exchanges.stop.reason
    const items = [...work.items.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
    const table = describeYields(items)
    writeWhole(join(folder, 'yields.md'), table, 'Give --out another path')
    const rows = items.filter(({ turns }) => turns !== undefined).slice(0, count)
    const left = rows.length === 0 ? 0 : await writeRows(options, rows, work, agent)
    const { attempts, tokens } = budget.spent()
    const written = `${number(rows.length - left)} of ${number(count)} trajectories`
    const lines = [
      attempts > 0 &&
        `${number(attempts)} requests in this session, ${number(tokens.prompt + tokens.completion)} tokens`,
      open > 0 && `${number(open)} personas have no result, since requests failed`,
      left > 0 && `${number(left)} trajectories are longer than what the agent ${agent.name} shows, and left out`,
      `${rows.length === 0 ? `Nothing was written to ${out}` : `Wrote ${written} to ${out}`}; ${folder} holds the stages`,
    ]
    await print(`${table}\n${textOf(lines)}`)
    if (stopped !== undefined) {
      const [how, code] = endings[stopped.why]
      const why = stopped.why === 'interrupted' ? '' : `: ${stopped.message.replace(/\.$/, '')}`
      const isFew = stopped.why === 'yield'
      say(`${how}${why}. ${isFew ? 'Read the reasons above, or choose another model' : 'The same command continues'}.`)
      process.exitCode = verified >= count ? 0 : code
    }
    if (exchanges) say(exchanges.summary())
  } finally {
    await work?.close()
    await exchanges?.close()
  }
}

function modelOf(
  { model: name, baseUrl, concurrency }: Options,
  registry: Registry,
  budget: Budget,
  exchanges: Exchanges | undefined,
): Model {
  const choice = { name, ...(baseUrl !== undefined && { baseUrl }) }
  if (exchanges?.choose !== undefined) return exchanges.choose(choice).model
  const connection = { ...createConnection({ models: [choice], concurrency }, say), budget }
  const open = (): Model => createModel(choice, undefined, process.env, plainTraits, connection, registry).model
  const model = name === teacher.name ? teacher : open()
  return exchanges?.wrap?.(model) ?? model
}

/** @returns the number of trajectories that are too long for the agent's layout */
async function writeRows({ out, format }: Options, rows: readonly Item[], work: WorkFolder, agent: Agent) {
  const isScripted = format === scriptedFormat
  const environment = isScripted ? undefined : await findEnvironmentKind('scripted').open({ scripts: work.made })
  const writer = createRowWriter(out, isScripted ? 'lines' : format)
  let left = 0
  try {
    for (const { id, persona, script, turns } of rows) {
      if (environment === undefined) writer.writeRaw(JSON.stringify({ id, persona, script, turns }))
      else {
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
