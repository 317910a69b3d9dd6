import type { Completion, Message, Model } from '../../core/model.js'
import { identifyCall } from '../../play/ask.js'
import { endOfJson } from '../../agents/tool-call.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { CallError } from '../../models/call-error.js'
import { type ScriptedTurn, masterTurn } from '../verify/turn.js'
import { checkAction, profiles } from '../verify/verify-trajectory.js'
import { beginScript } from '../../environments/scripted/game.js'
import { type CheckedScript, checkTrajectory, checkedScript } from './check-trajectory.js'
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
        let text = ''
        let made: { readonly made: T } | Refusal
        if ('text' in reply) {
          text = reply.text
          spent.promptTokens += reply.promptTokens ?? 0
          spent.completionTokens += reply.completionTokens ?? 0
          const json = jsonOf(text)
          const isCut = reply.finish === 'length' || reply.tooLong === true
          const cut = `the reply ends at the limit of ${String(maxTokens)} tokens; raise --max-tokens`
          made = 'value' in json ? judge(json.value) : isCut ? { rule: 'cut', evidence: cut } : json
        } else made = reply
        if ('made' in made) return made.made
        spent.refused.push({ stage, rule: made.rule, evidence: made.evidence })
        spent.text = text.slice(0, shownText)
        messages = prompt({ text, evidence: made.evidence })
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
      const json = jsonOf(refused.text)
      const shown = 'value' in json ? JSON.stringify(json.value) : refused.text
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
  const plan = beginScript(script.playable).solve()
  if (plan === undefined) {
    const evidence = 'no actions were found that lead from the start to the completion conditions'
    return { rule: 'unsolvable', evidence }
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

/**
 * Reads the JSON in a model's reply: the longest object or list in it, whatever stands around it. One that is not
 * closed is broken (`json`); `prose` holds none.
 */
export function jsonOf(reply: string): { readonly value: unknown } | Refusal {
  const text = reply.slice(0, maxLength)
  let answer = ''
  for (let start = nextBracket(text, 0); start !== -1;) {
    const end = endOfJson(text, start)
    if (end - start > answer.length) answer = text.slice(start, end)
    start = nextBracket(text, end)
  }
  if (answer === '') return { rule: 'prose', evidence: `expected JSON, got '${text.trim().slice(0, 200)}'` }
  try {
    return { value: JSON.parse(answer) as unknown }
  } catch (thrown) {
    return { rule: 'json', evidence: messageOf(thrown).slice(0, 200) }
  }
}

function nextBracket(text: string, from: number): number {
  const found = text.slice(from).search(/[[{]\s*(?:["[{\]}]|$)/)
  return found === -1 ? -1 : from + found
}
