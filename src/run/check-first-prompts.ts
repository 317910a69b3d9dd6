import type { Agent } from '../core/agent.js'
import { closeWorlds } from '../core/close-worlds.js'
import { ShaketableError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { perturb } from '../core/perturb.js'
import { usedIn } from '../core/perturbation.js'
import { pairsOf } from './plan.js'
import { textOf } from '../core/text.js'
import { boundTokens, charactersOf } from '../models/fit.js'
import { grouped } from '../tables/words.js'
import type { Column } from './columns.js'
import type { GridEnvironment, GridModel } from './grid.js'
import { replyTokens } from './model-choice.js'
import { randomOf } from './play-cell.js'

/** The most openings that are measured. Of a larger grid, evenly spaced tasks are measured. */
const maxOpenings = 1000

interface FirstPrompt {
  readonly agent: Agent
  readonly environment: string
  readonly task: string
  readonly column: string
  /** Bounds of its length in tokens. */
  readonly least: number
  readonly most: number
}

/** The parts of a grid that decide its first prompts. */
interface FirstPromptParts {
  readonly environments: readonly GridEnvironment[]
  readonly columns: readonly Column[]
  readonly agents: readonly Agent[]
  readonly models: readonly GridModel[]
  readonly seeds: readonly number[]
  readonly maxTokens: number
}

/**
 * Compares the longest first prompts, whose history cannot be cut, with the known context length of each model.
 * @returns notes: prompts that may be too long, and how many openings were measured if not all were
 * @throws ShaketableError `usage` if a prompt and a reply do not fit, with the numbers
 */
export async function checkFirstPrompts(parts: FirstPromptParts): Promise<readonly string[]> {
  const models = parts.models.filter(({ model, live }) => live && model.contextTokens !== undefined)
  if (models.length === 0) return []
  const { prompts, notes } = await findLongest(parts)
  const pairs = pairsOf(parts)
  for (const one of models) {
    const own = prompts.filter(({ agent }) => pairs.some((pair) => pair.model === one && pair.agent === agent))
    const [worst] = own.toSorted((prompt, other) => other.most - prompt.most)
    if (worst !== undefined) notes.push(...judge(worst, one.model, replyTokens(one.model.settings, parts.maxTokens)))
  }
  return notes
}

/** The longest first prompt of each agent in each environment. */
async function findLongest({ environments, columns, agents, seeds }: FirstPromptParts) {
  const longest = new Map<string, FirstPrompt>()
  const all = environments.reduce((sum, one) => sum + one.tasks.length * columns.length, 0)
  const step = Math.max(1, all / maxOpenings)
  let measured = 0
  for (const { environment, tasks } of environments) {
    for (const { label: column, applied } of columns) {
      const perturbed = perturb(environment, usedIn(applied, environment.name))
      for (let place = 0; place < tasks.length; place += step) {
        const task = tasks[Math.floor(place)]!
        measured++
        try {
          const world = await perturbed.begin(task, randomOf(environment.name, task.id, seeds[0]!), seeds[0])
          await closeWorlds([world])
          for (const agent of agents) {
            const conversation = agent.begin(world.briefing, textOf(world.opening))
            const messages = conversation.messages()
            const { least, most } = boundTokens(charactersOf(messages, conversation.tools?.()), messages.length)
            const key = `${environment.name} ${agent.name}`
            if (most > (longest.get(key)?.most ?? 0))
              longest.set(key, { agent, environment: environment.name, task: task.id, column, least, most })
          }
        } catch {
          // A broken task becomes the outcome of its episodes.
        }
      }
    }
  }
  const notes =
    measured === all
      ? []
      : [
          `The length of first prompts was looked at for ${grouped(measured)} of ${grouped(all)} tasks under conditions.`,
        ]
  return { prompts: [...longest.values()], notes }
}

function judge(
  { environment, task, agent, column, ...bounds }: FirstPrompt,
  model: Model,
  maxTokens: number,
): string[] {
  const context = model.contextTokens!
  const [min, max] = [Math.floor(bounds.least), Math.ceil(bounds.most)]
  if (max + maxTokens <= context) return []
  const isCertain = min + maxTokens > context
  const tokens = isCertain ? min : max
  const room = context - max
  const give = room >= 16 ? `Give --max-tokens ${String(room)} or less, an` : 'Give an'
  const text =
    `The first prompt of task '${task}' of ${environment} with agent ${agent.name} under ${column} is ${isCertain ? 'at least' : 'up to'} ${grouped(tokens)} tokens, and ` +
    `${grouped(maxTokens)} are kept for the reply: ${grouped(tokens + maxTokens)} of the ${grouped(context)} of the context of '${model.name}'. ` +
    `${give} agent with a shorter prompt, or a longer context (--set contextTokens=N, where the server has more than it says).`
  if (isCertain) throw new ShaketableError('usage', text)
  return [text]
}
