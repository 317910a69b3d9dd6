import { readScript } from '../verify/script.js'
import { type ScriptedTurn, errorsOf, nameOf } from '../verify/turn.js'
import type { Rejection, Verdict, VerifyOptions } from '../verify/verify-trajectory.js'
import { verifyTrajectory, wholeExchanges } from '../verify/verify-trajectory.js'
import { type PlayableScript, readPlayable } from '../../environments/scripted/read-playable.js'
import { beginScript } from '../../environments/scripted/game.js'

/** A script as its world plays it, and as text is verified against it. */
export type CheckedScript = ReturnType<typeof checkedScript>

/** @throws ShaketableError `bad-input` for a script that cannot be played */
export function checkedScript(source: unknown) {
  return { playable: readPlayable(source), text: readScript(source) }
}

/**
 * Verifies a trajectory against the text of its script, and then plays its actions in the script's world. It must have
 * alternating turns, as it has unless `literal`.
 */
export function checkTrajectory(
  turns: readonly unknown[],
  { playable, text }: CheckedScript,
  options: VerifyOptions,
): Verdict {
  const verdict = verifyTrajectory(turns, text, options)
  if (!verdict.accepted) return verdict
  const fault = faultIn(verdict.verified, playable)
  if (fault === undefined) return verdict
  const { position } = fault
  const turn = verdict.verified[position - 1]?.turn
  return {
    accepted: false,
    rejection: { ...fault, ...(turn !== undefined && { turn }) },
    verified: fault.rule === 'unfinished' ? [] : wholeExchanges(verdict.verified.slice(0, position - 1)),
    errors: verdict.errors,
  }
}

function faultIn(turns: readonly ScriptedTurn[], script: PlayableScript): Rejection | undefined {
  const game = beginScript(script)
  let won = false
  for (const [place, turn] of turns.entries()) {
    const position = place + 1
    const tag = tagIn(turn, position === turns.length)
    if (tag !== undefined) return { rule: 'tags', position, evidence: tag }
    if (turn.role === 'DM') continue
    const flags = errorsOf(turns[place + 1])
    const error = game.check(turn.Action)
    if (flags.length === 0 && error !== undefined) {
      return { rule: 'world-refuses', position, evidence: `${nameOf(turn.Action)} is a ${error} in the world` }
    }
    if (flags.length > 0 && error === undefined) {
      const evidence = `the DM says ${flags.join(' and ')} of ${nameOf(turn.Action)}, which the world accepts`
      return { rule: 'world-accepts', position, evidence }
    }
    won = game.step(turn.Action).won
  }
  if (won) return undefined
  return { rule: 'unfinished', position: turns.length, evidence: 'the completion conditions do not hold at the end' }
}

const mark =
  /\{[^{}\n]{1,60}\}|<\|[^\n]{0,40}\|>|<\/?(?:s|think|action|observation|system|user|assistant)>|\[\/?INST\]|^[ \t]*(?:DM|Player|Thought|Action|Observation|Human|User|Assistant|System)[ \t]*:/im

/** A mark that betrays the prompt or another format, and a success that is not at the end. */
function tagIn(turn: ScriptedTurn, isLast: boolean): string | undefined {
  const texts = turn.role === 'DM' ? [turn.Thought, turn.Observation] : [turn.Thought, turn.Action]
  for (const text of texts) {
    const number = mark.exec(text)?.[0]
    if (number !== undefined) return `${nameOf(number)} stands in a turn of the ${turn.role}`
    if (/task succeed/i.test(text) && !(isLast && turn.role === 'DM')) {
      return `"Task Succeed" stands in a turn of the ${turn.role} before the end`
    }
  }
  return undefined
}
