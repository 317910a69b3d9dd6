import type { Agent } from '../core/agent.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import type { RowFormat } from '../training/row-formats.js'
import { findRowFormat, rowFormats } from '../training/row-formats.js'
import type { Registry } from '../run/registry.js'
import type { SetFlag, PluginFlag } from './_flags.js'

/** The options of `shaketable data collect`. */
export interface CollectFlags extends SetFlag, PluginFlag {
  readonly env: readonly string[]
  readonly policy?: string
  readonly agent?: string
  readonly tasks?: number
  readonly count?: number
  readonly withErrors: number
  readonly varyWording?: boolean
  readonly format: string
  readonly seed: number
  readonly temperature: string
  readonly stepLimit: number
  readonly failures?: boolean
  readonly out: string
  readonly manifest?: string | true
  readonly force?: boolean
}

/** AgentRefine's format: a Player who thinks and acts, and a DM who signals errors. */
export const scriptedFormat = 'agentrefine'

/** What to collect: checked options, with defaults filled in. */
export interface CollectPlan {
  readonly policy: Model
  readonly agent: Agent
  /** Undefined for AgentRefine's format. */
  readonly format: RowFormat | undefined
  readonly count: number | undefined
  readonly maxTasks: number
  readonly seed: number
  readonly stepLimit: number
  readonly errors: number
  readonly temperature: number
}

/** Makes a plan from options. @throws ShaketableError `usage` for options that cannot be combined */
export function readCollectPlan(options: CollectFlags, registry: Registry): CollectPlan {
  const isScripted = options.format === scriptedFormat
  const format = isScripted ? undefined : findFormat(options.format)
  const agent = registry.find('agent', options.agent ?? (isScripted ? 'react' : 'act'))
  if (agent.name === 'tools' || (isScripted && agent.name !== 'react')) {
    const why = isScripted
      ? `react, the layout with the thoughts and actions that ${scriptedFormat} needs`
      : 'a layout in text, since training data has no function calls'
    throw new ShaketableError('usage', `--agent: expected ${why}, got '${agent.name}'. Give act or react.`)
  }
  const { withErrors: errors, tasks = Infinity, count, seed, stepLimit } = options
  if (errors > 0 && format?.loss === 'none') {
    throw new ShaketableError(
      'usage',
      `--format: '${format.name}' cannot mark turns that are not learned from, and mistakes need that mark. Choose agentinstruct.`,
    )
  }
  return {
    policy: findPolicy(
      options.policy ?? (options.env.every((name) => name === 'household') ? 'reader:text' : 'reader'),
      registry,
    ),
    agent,
    format,
    count,
    maxTasks: tasks,
    seed,
    stepLimit,
    errors,
    temperature: readTemperature(options.temperature),
  }
}

function findFormat(name: string): RowFormat {
  if (rowFormats.some((one) => one.name === name)) return findRowFormat(name)
  const known = [...rowFormats.map((one) => one.name), scriptedFormat]
  throw new ShaketableError('usage', unknownName('format of training data', name, known))
}

function findPolicy(name: string, registry: Registry): Model {
  const [, ...option] = name.split(':')
  const control = registry.find('model', name)
  return option.length === 0 ? control.create() : control.create(option.join(':'))
}

function readTemperature(text: string): number {
  const value = /^\d(?:\.\d{1,6})?$/.test(text) ? Number(text) : NaN
  if (value >= 0 && value <= 2) return value
  throw new ShaketableError('usage', `--temperature: expected a number from 0 to 2, got '${text.slice(0, 100)}'.`)
}
