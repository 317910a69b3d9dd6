import { maxSteps } from '../collect/collect.js'
import type { Agent } from '../core/agent.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import type { RowFormat } from '../data/formats/row-formats.js'
import { findRowFormat, rowFormats } from '../data/formats/row-formats.js'
import type { Registry } from '../run/registry.js'
import type { EnvironmentFlagValues, PluginFlag } from './_flags.js'
import { readShare, readWhole } from './_flags.js'

/** The options of `shaketable collect` as they are given. */
export interface CollectFlags extends EnvironmentFlagValues, PluginFlag {
  readonly env: readonly string[]
  readonly policy?: string
  readonly agent?: string
  readonly tasks?: string
  readonly count?: string
  readonly withErrors: string
  readonly varyWording?: boolean
  readonly format: string
  readonly seed: string
  readonly temperature: string
  readonly stepLimit: string
  readonly failures?: boolean
  readonly out: string
  readonly manifest?: string | true
  readonly force?: boolean
}

/** AgentRefine's own form: a Player who thinks and acts, and a DM who signals errors. */
export const scriptedFormat = 'agentrefine'

/** What was asked for, read. */
export interface CollectPlan {
  readonly policy: Model
  readonly agent: Agent
  /** Undefined for the form of a Player and a DM. */
  readonly format: RowFormat | undefined
  readonly count: number | undefined
  readonly maxTasks: number
  readonly seed: number
  readonly stepLimit: number
  readonly errors: number
  readonly temperature: number
}

/** Reads what was asked for. @throws ShaketableError `usage` for what cannot be done */
export function readCollectPlan(options: CollectFlags, registry: Registry): CollectPlan {
  const isScripted = options.format === scriptedFormat
  const format = isScripted ? undefined : findFormat(options.format)
  const agent = registry.find('agent', options.agent ?? (isScripted ? 'react' : 'act'))
  if (agent.name === 'tools' || (isScripted && agent.name !== 'react')) {
    const why = isScripted
      ? `react, the layout of thought and action that ${scriptedFormat} tells`
      : 'a layout in text, since training data holds no function calls'
    throw new ShaketableError('usage', `--agent: expected ${why}, got '${agent.name}'. Give act or react.`)
  }
  const errors = readShare('--with-errors', options.withErrors, {})
  if (errors > 0 && format?.loss === 'none') {
    throw new ShaketableError(
      'usage',
      `--format: '${format.name}' cannot say which turns are not learned from, and mistakes are not. Choose one that can: agentinstruct.`,
    )
  }
  return {
    policy: findPolicy(
      options.policy ?? (options.env.every((name) => name === 'household') ? 'reader:text' : 'reader'),
      registry,
    ),
    agent,
    format,
    count: options.count === undefined ? undefined : readWhole('--count', options.count, 1, 10_000_000),
    maxTasks: options.tasks === undefined ? Infinity : readWhole('--tasks', options.tasks, 1, 1_000_000),
    seed: readWhole('--seed', options.seed, 0, 1_000_000_000),
    stepLimit: readWhole('--step-limit', options.stepLimit, 1, maxSteps),
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
