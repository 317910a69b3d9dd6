import type { ReflectionRules, TrialRules } from '../core/agent.js'
import type { Note, World } from '../core/environment.js'
import { addDoses } from '../core/dose.js'
import { type CallNames, faultOf, identifyCall } from './ask.js'
import { type Reflection, type Trajectory, type Trial, isValid, seedOf } from '../core/episode.js'
import type { Attempt } from '../core/model.js'
import type { EpisodeResult, Measures } from '../results/episode-row.js'
import { GivenUp, messageOf } from '../core/errors.js'
import { CallError } from '../models/call-error.js'
import { episodeRoom } from '../models/bounds.js'
import { createContextFitter, isOverflow } from '../models/fit.js'
import { choicesIn, measureTrials } from './measure.js'
import { type Played, type PlayOptions, attempt, play, remembering } from './play.js'
import { textOf } from '../core/text.js'

/** The options of an episode of one or several trials. */
export interface PlayTrialsOptions extends Omit<PlayOptions, 'world' | 'memory'> {
  /** Sets up the episode's world, the same for each trial. */
  readonly begin: () => World | Promise<World>
  /** Called between trials, before a reflection and before the next trial; false abandons the episode. */
  readonly goOn?: () => boolean
}

/** The end of an episode that differs from that of the counting trial. */
type Ending = Pick<EpisodeResult, 'outcome' | 'error'>

/** The trials of an episode so far. */
interface Past {
  readonly played: Played[]
  readonly trials: Trial[]
  /** The attempts of a reflection that failed. */
  failedCall?: Trajectory['failedCall']
}

/**
 * Plays an episode by its agent's rules for trials, or a single trial if it has none. Trial 1 is exactly what the agent
 * would play without the rules. A success ends the episode. An error in a trial or a reflection ends it too and becomes
 * its outcome. An episode without any reply, since its first prompt does not fit, is a `model-error`.
 * @throws GivenUp if `goOn` returns false; any error that `begin` throws for trial 1
 */
export async function playTrials(trialOptions: PlayTrialsOptions): Promise<Played> {
  const options = { ...trialOptions, room: { left: episodeRoom } }
  const rules = options.agent.trials
  const world = await options.begin()
  const past: Past = { played: [], trials: [] }
  const { result, trajectory } =
    rules === undefined
      ? await play({ ...options, world })
      : gather(rules, past, await playEach(options, rules, world, past))
  const isUnanswered = result.outcome === 'context-overflow' && result.measures.modelCalls === 0
  return { result: isUnanswered ? { ...result, outcome: 'model-error' } : result, trajectory }
}

/**
 * The model's seed in a trial (from 1): the episode's own seed in trial 1, then 31 bits of a hash of that seed and the
 * number.
 */
export function trialSeed(seed: number, trial: number): number {
  return trial === 1 ? seed : seedOf(['trial', seed, trial])
}

async function playEach(
  options: PlayTrialsOptions,
  rules: TrialRules,
  first: World,
  past: Past,
): Promise<Ending | undefined> {
  let world = first
  let memory: readonly Note[] = []
  for (let number = 1; ; number++) {
    const seed = trialSeed(options.seed, number)
    const from = past.played.reduce((sum, { trajectory }) => sum + trajectory.steps.length, 0)
    const names = number === 1 ? {} : namesOf(options, `trial ${String(number)}`)
    const played = await play({ ...options, ...names, world, seed, memory })
    const { outcome, progress, error } = played.result
    past.trials.push({ from, seed, outcome, progress })
    past.played.push(played)
    if (!isValid(outcome)) return { outcome, error: `trial ${String(number)}: ${error ?? outcome}` }
    const isHopeless = played.trajectory.steps.length === 0
    if (outcome === 'success' || number >= rules.most || isHopeless) return undefined
    if (rules.reflection !== undefined) {
      checkGoingOn(options, past)
      const reflected = await reflect(options, rules.reflection, past, world, memory)
      if ('outcome' in reflected) return reflected
      memory = reflected.memory
    }
    checkGoingOn(options, past)
    const begun = await attempt(options.begin)
    if ('thrown' in begun) {
      options.signal?.throwIfAborted()
      return { outcome: 'environment-error', error: `trial ${String(number + 1)}: ${messageOf(begun.thrown)}` }
    }
    world = begun.value
  }
}

function checkGoingOn({ goOn, signal }: PlayTrialsOptions, { trials }: Past): void {
  signal?.throwIfAborted()
  if (goOn?.() === false) throw new GivenUp(`The episode was given up after trial ${String(trials.length)}.`)
}

/**
 * Requests a reflection on the last trial. The oldest steps are left out until the request fits.
 * @returns the agent's notes from now on, or how the episode ended
 */
async function reflect(
  options: PlayTrialsOptions,
  rules: ReflectionRules,
  past: Past,
  world: World,
  memory: readonly Note[],
): Promise<{ readonly memory: readonly Note[] } | Ending> {
  const number = past.trials.length
  const { model, temperature, maxTokens, signal, clock } = options
  const trial = past.trials.at(-1)!
  const { steps } = past.played.at(-1)!.trajectory
  const failed = { briefing: remembering(world.briefing, memory), opening: textOf(world.opening), steps }
  let left = 0
  const request = {
    messages: () => rules.request({ ...failed, left }),
    cut: () => left < steps.length - 1 && ++left > 0,
  }
  const { seed } = trial
  const names = identifyCall(namesOf(options, `reflection ${String(number)}`), seed, 0)
  const sampling = { temperature, seed, maxTokens, stop: [], ...names, ...(signal && { signal }) }
  const started = clock?.()
  const asked = await attempt(() =>
    createContextFitter(model, maxTokens)(request, () => model.complete(request.messages(), sampling)),
  )
  if ('thrown' in asked) {
    const { thrown } = asked
    signal?.throwIfAborted()
    if (thrown instanceof CallError) past.failedCall = thrown.attempts
    const outcome = isOverflow(thrown) ? 'context-overflow' : 'model-error'
    return { outcome, error: `reflection on trial ${String(number)}: ${messageOf(thrown)}` }
  }
  const { completion } = asked.value
  const { text, reasoning, promptTokens, completionTokens, attempts } = completion
  const fault = faultOf(completion)
  const reflection: Reflection = {
    reply: text,
    ...(reasoning !== undefined && { reasoning }),
    ...(fault && { fault }),
    ...(left > 0 && { left }),
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(attempts && { attempts }),
    ...(started !== undefined && { milliseconds: Math.round(clock!() - started) }),
  }
  past.trials[number - 1] = { ...trial, reflection }
  // On one line, so that a note cannot be mistaken for a line of the history.
  const note = text.replace(/\s+/g, ' ').trim()
  return { memory: note === '' ? memory : [...memory, { trial: number, text: note }].slice(-rules.kept) }
}

/** Distinct names for the calls of a later trial or a reflection. */
function namesOf({ episode, numbers }: CallNames, part: string): CallNames {
  return {
    ...(episode !== undefined && { episode: `${episode} · ${part}` }),
    ...(numbers !== undefined && { numbers: `${numbers} · ${part}` }),
  }
}

function gather({ counts }: TrialRules, past: Past, ending: Ending | undefined): Played {
  const { played, trials } = past
  const progress = trials.map((trial) => trial.progress)
  const isSuccess = trials.at(-1)?.outcome === 'success'
  const counting = counts === 'last' || isSuccess ? progress.length - 1 : progress.indexOf(Math.max(...progress))
  const { outcome, error } = ending ?? played[counting]!.result
  const { stepLimit } = played[0]!.result
  const doses = played.flatMap(({ result }) => result.dose ?? [])
  // The same forms are reworded in every trial, so they count once; all other counts add up.
  const dose = doses.length === 0 ? undefined : { ...doses.reduce(addDoses), forms: doses[0]!.forms }
  const { prompt, opening } = played[0]!.trajectory
  const failedCall = past.failedCall ?? played.at(-1)!.trajectory.failedCall
  return {
    result: {
      outcome,
      progress: progress[counting]!,
      ...(stepLimit !== undefined && { stepLimit }),
      measures: measuresOf(past, counting, failedCall),
      trials: progress,
      ...(dose && { dose }),
      ...(error !== undefined && { error }),
    },
    trajectory: {
      prompt,
      opening,
      steps: played.flatMap(({ trajectory }) => trajectory.steps),
      trials,
      ...(failedCall && { failedCall }),
    },
  }
}

/** The measures of all trials, with the calls for reflections. */
function measuresOf({ played, trials }: Past, counting: number, failedCall: readonly Attempt[] = []): Measures {
  const each = played.map(({ trajectory }) => trajectory.steps)
  const measures = played.map(({ result }) => result.measures)
  const all = measureTrials(each, counting, failedCall, measures[0]!.memorised !== undefined)
  const reflections = trials.flatMap(({ reflection }) => reflection ?? [])
  const add = (first: number, of: (reflection: Reflection) => number | undefined): number =>
    reflections.reduce((sum, reflection) => sum + (of(reflection) ?? 0), first)
  const attempts = add(all.attempts ?? 0, (reflection) => reflection.attempts?.length)
  return {
    ...all,
    ...(measures[0]!.touched !== undefined && { touched: measures.reduce((sum, { touched = 0 }) => sum + touched, 0) }),
    ...choicesIn(each.flat(), measures[0]!.choices?.first),
    modelCalls: all.modelCalls + reflections.length,
    ...(attempts > 0 && { attempts }),
    promptTokens: add(all.promptTokens, (reflection) => reflection.promptTokens),
    completionTokens: add(all.completionTokens, (reflection) => reflection.completionTokens),
  }
}
