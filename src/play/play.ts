import type { Agent } from '../core/agent.js'
import { type CallNames, type Reply, createAsking } from './ask.js'
import { countChanges } from '../core/dose.js'
import type { Briefing, Note, Turn, World } from '../core/environment.js'
import type { Outcome, Step, Trajectory } from '../core/episode.js'
import type { EpisodeResult } from '../results/episode-row.js'
import { GivenUp, ShaketableError, messageOf } from '../core/errors.js'
import { CallError } from '../models/call-error.js'
import { isOverflow } from '../models/fit.js'
import { choicesIn, createInvalidClassifier, measure } from './measure.js'
import type { Attempt, Model, Sampling } from '../core/model.js'
import { episodeRoom, keepWithin } from '../models/bounds.js'
import { isPerturbed } from '../core/perturb.js'
import { closeWorlds } from '../core/close-worlds.js'
import { textOf } from '../core/text.js'
import { likelihoodOf } from './wordings.js'

/** The input of one episode. */
export interface PlayOptions extends CallNames {
  readonly world: World
  readonly agent: Agent
  readonly model: Model
  /** The benchmark's normalisation of an action; see Environment.normalise. */
  readonly normalise?: (action: string) => string
  readonly temperature: number
  readonly seed: number
  /**
   * Maximum number of steps that count, after which the episode ends with `step-limit`. It also ends after twice that
   * number of steps in all.
   */
  readonly stepLimit: number
  /** Maximum number of tokens per reply. */
  readonly maxTokens: number
  /** The agent's notes after earlier trials at the task. */
  readonly memory?: readonly Note[]
  /** Aborts the episode between two steps, with an exception. */
  readonly signal?: AbortSignal
  /** The remaining characters of text that the episode may store; shared by its trials. */
  readonly room?: { left: number }
  /** Milliseconds since any fixed moment. Without it steps have no durations. */
  readonly clock?: () => number
}

/** A finished episode. */
export interface Played {
  readonly result: EpisodeResult
  readonly trajectory: Trajectory
}

/**
 * Plays one episode: the only loop between a world and a model. Errors of models and environments become outcomes, not
 * exceptions. The world is closed at the end in any case.
 */
export async function play(options: PlayOptions): Promise<Played> {
  const { world } = options
  if (world.close === undefined) return playOpen(options)
  try {
    return await playOpen(options)
  } finally {
    await closeWorlds([world])
  }
}

async function playOpen(options: PlayOptions): Promise<Played> {
  const { world, agent, clock } = options
  if (world.briefing.layout && !agent.takesLayouts) {
    const message = `A perturbation lays the prompt out anew, which the agent '${agent.name}' cannot do. Play it with act, react or tools.`
    throw new ShaketableError('usage', message)
  }
  const stepLimit = world.stepLimit?.(options.stepLimit) ?? options.stepLimit
  if (!Number.isInteger(stepLimit) || stepLimit < 1) {
    const message = `The step limit of an episode must be a whole number from 1, got ${String(stepLimit)} from stepLimit() of its world or a perturbation.`
    throw new ShaketableError('environment', message)
  }
  const opening = textOf(world.opening)
  const conversation = agent.begin(remembering(world.briefing, options.memory), opening)
  const phrase: Agent['phrase'] = (...turn) => conversation.phrase?.(...turn) ?? agent.phrase(...turn)
  const model = options.model.withWorld?.(world, phrase) ?? options.model
  const sampling: Sampling = {
    temperature: options.temperature,
    seed: options.seed,
    maxTokens: options.maxTokens,
    stop: conversation.stop ?? agent.stop,
    ...(model.logprobs && { logprobs: true }),
    ...(options.signal && { signal: options.signal }),
  }
  const prompt = conversation.messages()
  const steps: Step[] = []
  const room = options.room ?? { left: episodeRoom }
  let progress = 0
  let outcome: Outcome = 'step-limit'
  let error: string | undefined
  let failedCall: readonly Attempt[] | undefined
  const classify = createInvalidClassifier(world)
  const invalidity = (action: string, reply: Reply, { understood }: Turn): Pick<Step, 'invalid'> => {
    if (understood !== false || classify === undefined) return {}
    return { invalid: classify(action, reply.formatError === undefined && reply.details.fault === undefined) }
  }
  const asking = createAsking(conversation, model, sampling, options)
  let changes = countChanges(world.dose?.())
  let touched = 0
  let counted = 0

  while (counted < stepLimit && steps.length < 2 * stepLimit) {
    options.signal?.throwIfAborted()
    const started = clock?.()
    const asked = await attempt(asking)
    if ('thrown' in asked) {
      options.signal?.throwIfAborted()
      outcome = isOverflow(asked.thrown) ? 'context-overflow' : 'model-error'
      error = messageOf(asked.thrown)
      failedCall = asked.thrown instanceof CallError ? asked.thrown.attempts : undefined
      break
    }
    const reply = asked.value
    const action = options.normalise?.(reply.action) ?? reply.action
    const likelihood = model.logprobs && (await likelihoodOf(world, action, reply))
    const stepped = await attempt(() => world.step(action))
    if ('thrown' in stepped) {
      outcome = 'environment-error'
      error = messageOf(stepped.thrown)
      break
    }
    const turn = stepped.value
    const changesBefore = changes
    changes = countChanges(world.dose?.())
    if (changes > changesBefore) touched++
    const step = keepWithin(
      {
        ...record(action, reply, turn),
        ...invalidity(action, reply, turn),
        ...likelihood,
      },
      room,
    )
    steps.push(started === undefined ? step : { ...step, milliseconds: Math.round(clock!() - started) })
    if (!turn.refunded) counted++
    progress = Math.max(progress, turn.progress)
    if (turn.ended !== false) {
      outcome = turn.ended
      break
    }
    conversation.observe(action, textOf(turn.observation))
  }
  const dose = world.dose?.()
  // A perturbation can make any text of an environment long.
  const opened = { observation: opening, ...(world.originalOpening !== opening && { original: world.originalOpening }) }
  return {
    result: {
      outcome,
      progress,
      ...(stepLimit !== options.stepLimit && { stepLimit }),
      measures: {
        ...measure(steps, failedCall, world.understands !== undefined),
        ...choicesIn(steps, isPerturbed(world) ? world.firstWording : undefined),
        ...(dose && { touched }),
      },
      ...(dose && { dose }),
      ...(error !== undefined && { error }),
    },
    trajectory: {
      prompt: keepWithin(prompt, { left: episodeRoom }),
      opening: keepWithin(opened, { left: episodeRoom }),
      steps,
      ...(failedCall && { failedCall }),
    },
  }
}

/** A briefing with the agent's notes after earlier trials; the same briefing if there are none. */
export function remembering(briefing: Briefing, memory: readonly Note[] = []): Briefing {
  return memory.length === 0 ? briefing : { ...briefing, memory }
}

function record(action: string, reply: Reply, turn: Turn): Step {
  const observation = textOf(turn.observation)
  const command = turn.command ?? null
  return {
    ...(reply.text !== action && { reply: reply.text }),
    ...(reply.thoughts.length > 0 && { thoughts: reply.thoughts }),
    action,
    ...(command !== action && { command }),
    observation,
    ...(turn.original !== observation && { original: turn.original }),
    progress: turn.progress,
    ...(turn.understood !== undefined && { understood: turn.understood }),
    ...(turn.memorised === true && { memorised: true }),
    ...(turn.wording && { wording: turn.wording }),
    ...(turn.failed && { failed: turn.failed }),
    ...(turn.refunded === true && { refunded: true }),
    ...(reply.formatError !== undefined && reply.details.fault === undefined && { formatError: reply.formatError }),
    ...reply.details,
  }
}

/**
 * The result of some work, or its exception.
 * @throws GivenUp if the work throws it, since the episode is then abandoned
 */
export async function attempt<T>(work: () => T | Promise<T>): Promise<{ value: T } | { thrown: unknown }> {
  try {
    const result = work()
    return { value: result instanceof Promise ? await result : result }
  } catch (thrown) {
    if (thrown instanceof GivenUp) throw thrown
    return { thrown }
  }
}
