import type { Measures, Step, Trajectory } from '../core/episode.js'
import type { Attempt } from '../core/model.js'
import { number } from './_lines.js'

/** What an episode's calls came to, in a few words; empty for a model that tells nothing of them. */
export function sumUpCalls({ faults = {}, attempts = 0, cut = 0, ...measures }: Measures): string {
  const { promptTokens, completionTokens } = measures
  return [
    ...Object.entries(faults).map(([fault, count]) => `${number(count)} × ${faultText(fault)}`),
    ...(attempts > 0 ? [`${number(attempts)} attempts for ${number(measures.modelCalls)} replies`] : []),
    ...(promptTokens + completionTokens > 0
      ? [`${number(promptTokens)} tokens in, ${number(completionTokens)} out`]
      : []),
    ...(cut > 0 ? [`${number(cut)} parts of the history left out`] : []),
  ].join(', ')
}

/** The functions that were called in a step, one a line. */
export function callsOf({ toolCalls = [] }: Step): string[] {
  return toolCalls.map((call) => `${call.name}(${call.arguments})`)
}

/** What there is to say of how a step's reply was got. */
export function marksOfCalls({ fault, cut, attempts = [] }: Step): string[] {
  return [
    ...(fault === undefined ? [] : [`no whole reply: ${faultText(fault)}`]),
    ...(cut === undefined ? [] : [`history: ${number(cut)} more of its oldest parts left out`]),
    ...(attempts.some(({ outcome }) => outcome !== 'ok') ? [`attempts: ${attempts.map(attemptText).join('; ')}`] : []),
  ]
}

/** The attempts of the call that ended an episode. */
export function failedCallText({ failedCall = [] }: Trajectory): string[] {
  return failedCall.length === 0 ? [] : [`no reply: ${failedCall.map(attemptText).join('; ')}`]
}

function attemptText({ outcome, status, waitMs, milliseconds, requestId }: Attempt): string {
  return [
    ...(waitMs > 0 ? [`waited ${number(waitMs)} ms,`] : []),
    outcome,
    ...(status === undefined ? [] : [String(status)]),
    `after ${number(milliseconds)} ms`,
    ...(requestId === undefined ? [] : [`(${requestId.slice(0, 100)})`]),
  ].join(' ')
}

function faultText(fault: string): string {
  if (fault === 'too-long') return 'longer than what is kept of a reply, and cut'
  if (fault === 'length') return 'cut off at the limit of tokens'
  return fault === 'unclosed-reasoning' ? 'reasoning that never ends' : fault
}
