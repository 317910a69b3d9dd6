import type { Completion, Message, Model } from '../../core/model.js'
import { identifyCall } from '../../play/ask.js'
import { endOfJson } from '../../agents/tool-call.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { CallError } from '../../models/call-error.js'
import type { VerifyOptions } from '../verify/verify-trajectory.js'
import type { ScriptedTurn } from '../verify/turn.js'
import { checkAction } from '../verify/verify-trajectory.js'
import { beginScript } from '../../environments/scripted/game.js'
import type { CheckedScript } from './check-trajectory.js'
import { checkTrajectory, checkedScript } from './check-trajectory.js'
import { repairPrompt, scriptPrompt, trajectoryPrompt } from './prompts.js'

/** Why something that a model wrote is not used. */
export interface Refusal {
  /**
   * Of a reply: `prose`, `json`, `cut`, `overflow`. Of a script: `script`, `code`, `unsolvable`, `length`, `duplicate`.
   * Of a trajectory: the rules of verification and those of its world. docs/training-data.md describes them.
   */
  readonly rule: string
  readonly evidence: string
}

/** What one stage made of one item. */
export type Staged<T> = {
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** What was refused on the way to the result, in order. */
  readonly refused: readonly Refusal[]
} & (
  | { readonly made: T }
  /** `text` is the last reply, cut. */
  | { readonly made?: undefined; readonly text: string }
)

/** How a stage asks. */
interface StageOptions {
  readonly model: Model
  /** Identifies the item, and so its calls. */
  readonly id: string
  readonly seed: number
  readonly temperature: number
  /** Tokens of a reply. */
  readonly maxTokens: number
  /** Further requests after one that cannot be used. */
  readonly repairs: number
  readonly signal: AbortSignal
}

const shownText = 4000

/** Requests of one stage of one item, counted. */
function createAsker({ model, id, seed, temperature, maxTokens, signal }: StageOptions, stage: string) {
  const counts = { requests: 0, promptTokens: 0, completionTokens: 0 }
  return {
    counts,
    async ask(messages: readonly Message[]): Promise<{ readonly value: unknown } | (Refusal & { text: string })> {
      signal.throwIfAborted()
      const episode = `${stage} ${id}`
      let reply: Completion
      try {
        reply = await model.complete(messages, {
          temperature,
          seed,
          maxTokens,
          stop: [],
          signal,
          ...identifyCall({ episode, numbers: episode }, seed, counts.requests++),
        })
      } catch (thrown) {
        if (!(thrown instanceof CallError) || thrown.code !== 'context-overflow') throw thrown
        return { rule: 'overflow', evidence: thrown.message, text: '' }
      }
      counts.promptTokens += reply.promptTokens ?? 0
      counts.completionTokens += reply.completionTokens ?? 0
      const { text } = reply
      const found = jsonOf(text)
      if ('value' in found) return found
      if (reply.finish !== 'length' && !reply.tooLong) return { ...found, text }
      const evidence = `the reply ends at the limit of ${String(maxTokens)} tokens; raise --max-tokens`
      return { rule: 'cut', evidence, text }
    },
  }
}

/** A script that a model wrote, and its solution. */
interface WrittenScript {
  readonly source: unknown
  /** Actions of the solution. */
  readonly steps: number
}

/** Asks for a script that suits a persona until one can be played and solved. */
export async function writeScript(persona: string, options: StageOptions): Promise<Staged<WrittenScript>> {
  const { ask, counts } = createAsker(options, 'script')
  const first = scriptPrompt(persona)
  const refused: Refusal[] = []
  let [prompt, text] = [first, '']
  for (let attempt = 0; attempt <= options.repairs; attempt++) {
    const answer = await ask(prompt)
    const found = 'value' in answer ? judgeScript(answer.value) : answer
    if ('steps' in found) return { ...counts, refused, made: found }
    refused.push({ rule: found.rule, evidence: found.evidence })
    text = 'value' in answer ? JSON.stringify(answer.value) : answer.text
    prompt = repairPrompt(first, text.slice(0, shownText * 4), found.evidence)
  }
  return { ...counts, refused, text: text.slice(0, shownText) }
}

const minSteps = 2
const maxSteps = 40

function judgeScript(source: unknown): WrittenScript | Refusal {
  let script: CheckedScript
  try {
    script = checkedScript(source)
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    return { rule: 'script', evidence: thrown.message }
  }
  const [problem] = script.text.problems
  if (problem !== undefined) return { rule: 'code', evidence: problem }
  const game = beginScript(script.playable)
  const plan = game.solve()
  if (plan === undefined) {
    return {
      rule: 'unsolvable',
      evidence: 'no actions were found that lead from the start to the completion conditions',
    }
  }
  if (plan.length < minSteps || plan.length > maxSteps) {
    const wanted = `${String(minSteps)} to ${String(maxSteps)}`
    return { rule: 'length', evidence: `the task takes ${String(plan.length)} actions, expected ${wanted}` }
  }
  for (const action of plan) {
    const fault = checkAction(action, script.text, false)
    if (fault !== undefined) return { rule: 'code', evidence: `the verification code does not fit: ${fault.evidence}` }
  }
  return { source, steps: plan.length }
}

/** A trajectory of a script. */
type WrittenTrajectory = readonly ScriptedTurn[]

/** How a trajectory is asked for. */
interface TrajectoryOptions extends StageOptions {
  readonly mistakes: number
  readonly verify: VerifyOptions
}

/**
 * Asks for a trajectory until one holds. What is verified of a refused one is kept, and the rest is asked for again, as
 * in AgentRefine's Algorithm 1.
 */
export async function writeTrajectory(source: unknown, options: TrajectoryOptions): Promise<Staged<WrittenTrajectory>> {
  const { ask, counts } = createAsker(options, 'trajectory')
  const script = checkedScript(source)
  const game = beginScript(script.playable)
  const played = { source, mistakes: options.mistakes }
  const opening: readonly ScriptedTurn[] = [openingTurn(`${script.playable.goal}\n${game.opening}`)]
  const refused: Refusal[] = []
  let begun = opening
  let text = ''
  for (let attempt = 0; attempt <= options.repairs; attempt++) {
    const answer = await ask(trajectoryPrompt(played, begun))
    const { value } = 'value' in answer ? answer : {}
    text = 'value' in answer ? JSON.stringify(value) : answer.text
    const added: unknown = Array.isArray(value) ? value : (value as { turns?: unknown } | undefined)?.turns
    if (!Array.isArray(added)) {
      const evidence = 'expected a list of turns, got an object without one'
      refused.push('value' in answer ? { rule: 'json', evidence } : { rule: answer.rule, evidence: answer.evidence })
      continue
    }
    const turns: readonly unknown[] = [...begun, ...(added as unknown[])]
    const { accepted, rejection, verified } = checkTrajectory(turns, script, options.verify)
    if (accepted) return { ...counts, refused, made: verified }
    const { rule, position, evidence } = rejection!
    refused.push({ rule, evidence: `turn in place ${String(position)}: ${evidence}` })
    begun = verified.length > 1 && verified.length < turns.length ? verified : opening
  }
  return { ...counts, refused, text: text.slice(0, shownText) }
}

function openingTurn(observation: string): ScriptedTurn {
  const flags = { parameter_error: false, place_error: false, logic_error: false }
  return { turn: 0, role: 'DM', Thought: '', Observation: observation, ...flags }
}

/** The most characters of a reply that are searched for JSON. */
const maxLength = 1_000_000

/** JSON that was found in a reply, or why there is none: `prose` holds no JSON, `json` holds some that is broken. */
type ReplyJson = { readonly value: unknown } | { readonly rule: 'prose' | 'json'; readonly evidence: string }

/**
 * Reads the JSON in a model's reply: the longest object or list in it, whatever stands around it. One that is not
 * closed is broken.
 */
export function jsonOf(reply: string): ReplyJson {
  const text = reply.slice(0, maxLength)
  const found = longest(text)
  if (found === undefined) return { rule: 'prose', evidence: `expected JSON, got '${text.trim().slice(0, 200)}'` }
  try {
    return { value: JSON.parse(found) as unknown }
  } catch (thrown) {
    return { rule: 'json', evidence: messageOf(thrown).slice(0, 200) }
  }
}

/** The longest part of a text from a bracket to the one that closes it; one that is not closed ends with the text. */
function longest(text: string): string | undefined {
  let best: string | undefined
  for (let start = nextBracket(text, 0); start !== -1;) {
    const end = endOfJson(text, start)
    const part = text.slice(start, end)
    if (best === undefined || part.length > best.length) best = part
    start = nextBracket(text, end)
  }
  return best
}

function nextBracket(text: string, from: number): number {
  const found = text.slice(from).search(/[[{]\s*(?:["[{\]}]|$)/)
  return found === -1 ? -1 : from + found
}
