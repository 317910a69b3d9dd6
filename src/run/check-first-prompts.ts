import type { Agent } from '../core/agent.js'
import { closeWorlds } from '../core/close-worlds.js'
import { usageError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { perturb } from '../core/perturb.js'
import { usedIn } from '../core/perturbation.js'
import { pairsOf } from './plan.js'
import { textOf } from '../core/text.js'
import { boundTokens, charactersOf } from '../models/fit.js'
import { grouped } from '../tables/words.js'
import type { GridParts } from './grid.js'
import { replyTokens } from './model-choice.js'
import { randomOf } from './play-cell.js'

/** The most tasks of an environment whose openings are measured, evenly spaced. */
const maxTasks = 50

interface FirstPrompt {
  readonly agent: Agent
  /** Task, environment, agent and condition, in words. */
  readonly place: string
  readonly least: number
  readonly most: number
}

/** The parts of a grid that decide its first prompts. */
type FirstPromptParts = Pick<GridParts, 'environments' | 'conditions' | 'agents' | 'models' | 'seeds' | 'maxTokens'>

/**
 * Compares the longest first prompts, whose history cannot be cut, with the known context length of each model.
 * @returns notes on prompts that may be too long
 * @throws ShaketableError `usage` if a prompt and a reply do not fit, with the numbers
 */
export async function checkFirstPrompts(parts: FirstPromptParts): Promise<readonly string[]> {
  const models = parts.models.filter(({ model, live }) => live && model.contextTokens !== undefined)
  if (models.length === 0) return []
  const prompts = await findLongest(parts)
  return models.flatMap((model) => {
    const firstPrompts = pairsOf({ models: [model], agents: parts.agents }).flatMap(
      ({ agent }) => prompts.get(agent.name) ?? [],
    )
    const [worst] = firstPrompts.toSorted((prompt, other) => other.most - prompt.most)
    return worst === undefined ? [] : judge(worst, model.model, replyTokens(model.model.settings, parts.maxTokens))
  })
}

async function findLongest({ environments, conditions, agents, seeds }: FirstPromptParts) {
  const longest = new Map<string, FirstPrompt>()
  for (const { environment, tasks } of environments) {
    const step = Math.max(1, tasks.length / maxTasks)
    for (const { label, applied } of conditions) {
      const perturbed = perturb(environment, usedIn(applied, environment.name))
      for (let at = 0; at < tasks.length; at += step) {
        const task = tasks[Math.floor(at)]!
        try {
          const world = await perturbed.begin(task, randomOf(environment.name, task.id, seeds[0]!), seeds[0])
          await closeWorlds([world])
          for (const agent of agents) {
            const conversation = agent.begin(world.briefing, textOf(world.opening))
            const messages = conversation.messages()
            const bounds = boundTokens(charactersOf(messages, conversation.tools?.()), messages.length)
            const place = `task '${task.id}' of ${environment.name} with agent ${agent.name} under ${label}`
            if (bounds.most > (longest.get(agent.name)?.most ?? 0)) longest.set(agent.name, { agent, place, ...bounds })
          }
        } catch {
          // A broken task becomes the outcome of its episodes.
        }
      }
    }
  }
  return longest
}

function judge({ place, ...bounds }: FirstPrompt, model: Model, maxTokens: number): string[] {
  const context = model.contextTokens!
  const [min, max] = [Math.floor(bounds.least), Math.ceil(bounds.most)]
  if (max + maxTokens <= context) return []
  const isCertain = min + maxTokens > context
  const tokens = isCertain ? min : max
  const text =
    `The first prompt of ${place} is ${isCertain ? 'at least' : 'up to'} ${grouped(tokens)} tokens, and ` +
    `${grouped(maxTokens)} are kept for the reply: ${grouped(tokens + maxTokens)} of the ${grouped(context)} of the context of '${model.name}'. ` +
    `Give a smaller --max-tokens, an agent with a shorter prompt, or a longer context (--set contextTokens=N, where the server has more than it says).`
  if (isCertain) throw usageError(text)
  return [text]
}
