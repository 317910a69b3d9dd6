import type { Completion, Message, Model } from '../../core/model.js'
import { identifyCall } from '../../play/ask.js'
import { endOfJson } from '../../agents/tool-call.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { CallError } from '../../models/call-error.js'
import type { ScriptedTurn } from '../verify/turn.js'
import { masterTurn } from '../verify/turn.js'
import { checkAction, profiles } from '../verify/verify-trajectory.js'
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

type Stage = 'script' | 'trajectory'

/** How an item is asked for. */
export interface AskOptions {
  readonly model: Model
  /** Identifies the item, and so its calls. */
  readonly id: string
  readonly seed: number
  readonly temperature: number
  /** Tokens of a reply. */
  readonly maxTokens: number
  /** Further requests after one that cannot be used, for each stage. */
  readonly repairs: number
  readonly signal: AbortSignal
}

/** What the requests for an item have cost, and what was refused, in order. */
export interface Spent {
  requests: number
  promptTokens: number
  completionTokens: number
  readonly refused: (Refusal & { readonly stage: Stage })[]
  /** The last reply that was refused, cut. */
  text?: string
}

const shownText = 4000

type Judge<T> = (value: unknown) => { readonly made: T } | Refusal

/** Asks for what one item needs, and counts it. */
export function createAsker({ model, id, seed, temperature, maxTokens, repairs, signal }: AskOptions) {
  const spent: Spent = { requests: 0, promptTokens: 0, completionTokens: 0, refused: [] }
  const ask = async (stage: Stage, attempt: number, messages: readonly Message[]): Promise<Completion | Refusal> => {
    signal.throwIfAborted()
    const episode = `${stage} ${id}`
    const call = identifyCall({ episode, numbers: episode }, seed, attempt)
    spent.requests++
    try {
      return await model.complete(messages, { temperature, seed, maxTokens, stop: [], signal, ...call })
    } catch (thrown) {
      if (!(thrown instanceof CallError) || thrown.code !== 'context-overflow') throw thrown
      return { rule: 'overflow', evidence: thrown.message }
    }
  }
  const read = <T>(reply: Completion, judge: Judge<T>): ReturnType<Judge<T>> => {
    spent.promptTokens += reply.promptTokens ?? 0
    spent.completionTokens += reply.completionTokens ?? 0
    const found = jsonOf(reply.text)
    if ('value' in found) return judge(found.value)
    if (reply.finish !== 'length' && !reply.tooLong) return found
    return { rule: 'cut', evidence: `the reply ends at the limit of ${String(maxTokens)} tokens; raise --max-tokens` }
  }
  return {
    spent,
    /** Asks until a reply holds. @returns what it made; undefined where none holds */
    async until<T>(
      stage: Stage,
      prompt: (refused?: { readonly text: string; readonly evidence: string }) => readonly Message[],
      judge: Judge<T>,
    ): Promise<T | undefined> {
      let messages = prompt()
      for (let attempt = 0; attempt <= repairs; attempt++) {
        const reply = await ask(stage, attempt, messages)
        const found = 'text' in reply ? read(reply, judge) : reply
        if ('made' in found) return found.made
        const { rule, evidence } = found
        const text = 'text' in reply ? reply.text : ''
        spent.refused.push({ stage, rule, evidence })
        spent.text = text.slice(0, shownText)
        messages = prompt({ text, evidence })
      }
      return undefined
    },
  }
}

type Asker = ReturnType<typeof createAsker>

/** Asks for a script that suits a persona until one can be played and solved. */
export function writeScript(persona: string, { until }: Asker): Promise<unknown> {
  const first = scriptPrompt(persona)
  return until(
    'script',
    (refused) => {
      if (refused === undefined) return first
      const found = jsonOf(refused.text)
      const shown = 'value' in found ? JSON.stringify(found.value) : refused.text
      return repairPrompt(first, shown.slice(0, shownText * 4), refused.evidence)
    },
    judgeScript,
  )
}

const minSteps = 2
const maxSteps = 40

function judgeScript(source: unknown): { readonly made: unknown } | Refusal {
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
    const fault = checkAction(action, script.text)
    if (fault !== undefined) return { rule: 'code', evidence: `the verification code does not fit: ${fault.evidence}` }
  }
  return { made: source }
}

/**
 * Asks for a trajectory until one holds. What is verified of a refused one is kept, and the rest is asked for again, as
 * in AgentRefine's Algorithm 1.
 */
export function writeTrajectory(
  source: unknown,
  { until }: Asker,
  mistakes: number,
): Promise<readonly ScriptedTurn[] | undefined> {
  const script = checkedScript(source)
  const opening = [masterTurn(0, `${script.playable.goal}\n${beginScript(script.playable).opening}`)]
  let begun: readonly ScriptedTurn[] = opening
  return until(
    'trajectory',
    () => trajectoryPrompt({ source, mistakes }, begun),
    (value) => {
      const added: unknown = Array.isArray(value) ? value : (value as { turns?: unknown } | undefined)?.turns
      if (!Array.isArray(added))
        return { rule: 'json', evidence: 'expected a list of turns, got an object without one' }
      const turns: readonly unknown[] = [...begun, ...(added as unknown[])]
      const { accepted, rejection, verified } = checkTrajectory(turns, script, {
        ...profiles.strict,
        minErrorTurns: mistakes,
      })
      if (accepted) return { made: verified }
      begun = verified.length > 1 && verified.length < turns.length ? verified : opening
      const { rule, position, evidence } = rejection!
      return { rule, evidence: `turn in place ${String(position)}: ${evidence}` }
    },
  )
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
