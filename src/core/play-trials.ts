import type { ReflectionRules, TrialRules } from './agent.js'
import type { Note, World } from './environment.js'
import { addDoses } from './dose.js'
import type { CallNames } from './ask.js'
import { identifyCall } from './ask.js'
import type { EpisodeResult, Measures, Trajectory, Trial } from './episode.js'
import { isValid, seedOf } from './episode.js'
import { CallError, GivenUp, messageOf } from './errors.js'
import { episodeRoom } from './cut-text.js'
import { isOverflow } from './fit.js'
import { addMeasures } from './measure.js'
import type { Played, PlayOptions } from './play.js'
import { attempt, play, remembering } from './play.js'
import { messagesSent } from './perturb.js'
import { noteOf, reflect } from './reflect.js'
import { textOf } from './text.js'

/** Everything that an episode of one or several trials needs. */
export interface PlayTrialsOptions extends Omit<PlayOptions, 'world' | 'memory'> {
  /** Begins the episode's world, the same one each time. */
  readonly begin: () => World | Promise<World>
  /** Asked between trials, before a reflection and before the next trial, with what was used so far. */
  readonly goOn?: (used: Measures) => boolean
}

/** How an episode ended, where that is not how the trial that counts did. */
type Ending = Pick<EpisodeResult, 'outcome' | 'error'>

/** What was played so far of an episode. */
interface Past {
  readonly played: Played[]
  readonly trials: Trial[]
  /** Of the reflections. */
  readonly measures: Measures[]
  /** The attempts of a reflection that was not got. */
  failedCall?: Trajectory['failedCall']
}

/**
 * Plays an episode by its agent's rules for trials, or once where it has none. Trial 1 is what the agent would play
 * without them. A trial that is won ends the episode; so does a trial or a reflection that breaks, and then the episode
 * is one that broke. An episode whose first prompt does not fit, so that there never was a reply, says nothing of the
 * model: it is a `model-error`.
 * @throws GivenUp where `goOn` says no; whatever `begin` throws at trial 1
 */
export async function playTrials(given: PlayTrialsOptions): Promise<Played> {
  const options = { ...given, room: { left: episodeRoom } }
  const rules = options.agent.trials
  const world = await options.begin()
  if (rules === undefined) return unlessUnanswered(await play({ ...options, world }))
  const past: Past = { played: [], trials: [], measures: [] }
  const ending = await tryAgainAndAgain(options, rules, world, past)
  return unlessUnanswered(gather(rules, past, ending))
}

function unlessUnanswered({ result, trajectory }: Played): Played {
  const isUnanswered = result.outcome === 'context-overflow' && result.measures.modelCalls === 0
  return { result: isUnanswered ? { ...result, outcome: 'model-error' } : result, trajectory }
}

/**
 * The seed that a model is given in a trial, from 1: the episode's own in trial 1, then 31 bits of a hash of that and
 * the number.
 */
export function trialSeed(seed: number, trial: number): number {
  return trial === 1 ? seed : seedOf(['trial', seed, trial])
}

async function tryAgainAndAgain(
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
      const reflected = await lookBack(options, rules.reflection, past, world, memory)
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

/**
 * Asks for a reflection on the last trial.
 * @returns what the agent remembers from now on, or how the episode ended instead
 */
async function lookBack(
  options: PlayTrialsOptions,
  rules: ReflectionRules,
  past: Past,
  world: World,
  memory: readonly Note[],
): Promise<{ readonly memory: readonly Note[] } | Ending> {
  checkGoingOn(options, past)
  const number = past.trials.length
  const { temperature, maxTokens, signal } = options
  const trial = past.trials.at(-1)!
  const { steps } = past.played.at(-1)!.trajectory
  const reflected = await reflect(
    rules,
    { briefing: remembering(world.briefing, memory), opening: textOf(world.opening), steps },
    (messages) => messagesSent(world, messages),
    options.model,
    {
      temperature,
      seed: trial.seed,
      maxTokens,
      stop: [],
      ...identifyCall(namesOf(options, `reflection ${String(number)}`), trial.seed, 0),
      ...(signal && { signal }),
    },
    options.clock,
  )
  past.measures.push(reflected.measures)
  if ('thrown' in reflected) {
    signal?.throwIfAborted()
    const { thrown } = reflected
    if (thrown instanceof CallError) past.failedCall = thrown.attempts
    const outcome = isOverflow(thrown) ? 'context-overflow' : 'model-error'
    return { outcome, error: `reflection on trial ${String(number)}: ${messageOf(thrown)}` }
  }
  past.trials[number - 1] = { ...trial, reflection: reflected.reflection }
  const text = noteOf(reflected.reflection)
  return { memory: text === '' ? memory : [...memory, { trial: number, text }].slice(-rules.kept) }
}

function checkGoingOn({ goOn, signal }: PlayTrialsOptions, past: Past): void {
  signal?.throwIfAborted()
  if (goOn?.(measuresOf(past, 0)) === false) {
    throw new GivenUp(`The episode was given up after trial ${String(past.trials.length)}.`)
  }
}

/** Names the calls of a later trial or a reflection, so that they are told from those of trial 1. */
function namesOf({ episode, numbers }: CallNames, part: string): CallNames {
  return {
    ...(episode !== undefined && { episode: `${episode} · ${part}` }),
    ...(numbers !== undefined && { numbers: `${numbers} · ${part}` }),
  }
}

function gather({ counts }: TrialRules, past: Past, ending: Ending | undefined): Played {
  const { played, trials } = past
  const progress = trials.map((trial) => trial.progress)
  const won = trials.at(-1)?.outcome === 'success'
  const counting = counts === 'last' || won ? progress.length - 1 : progress.indexOf(Math.max(...progress))
  const { outcome, error } = ending ?? played[counting]!.result
  const doses = played.flatMap(({ result }) => result.dose ?? [])
  // Forms are reworded once, in every trial the same; all else was shown or said again.
  const dose = doses.length === 0 ? undefined : { ...doses.reduce(addDoses), forms: doses[0]!.forms }
  const { prompt, opening } = played[0]!.trajectory
  const failedCall = past.failedCall ?? played.at(-1)!.trajectory.failedCall
  return {
    result: {
      outcome,
      progress: progress[counting]!,
      measures: measuresOf(past, counting),
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

function measuresOf({ played, measures }: Past, counting: number): Measures {
  return addMeasures([...played.map(({ result }) => result.measures), ...measures], counting)
}
