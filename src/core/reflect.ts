import type { FailedTrial, ReflectionRules } from './agent.js'
import { faultOf } from './ask.js'
import type { Measures, Reflection } from './episode.js'
import { CallError } from './errors.js'
import { measure } from './measure.js'
import { createFitting } from './fit.js'
import type { Completion, Message, Model, Sampling } from './model.js'
import { attempt } from './play.js'

/** What came of asking for a reflection. */
type Reflected =
  | { readonly reflection: Reflection; readonly measures: Measures }
  | { readonly thrown: unknown; readonly measures: Measures }

/**
 * Asks a model to look back on a trial that failed; the oldest steps are left out until the request fits. A call that
 * breaks off is told, not thrown.
 */
export async function reflect(
  rules: ReflectionRules,
  failed: Omit<FailedTrial, 'left'>,
  send: (messages: readonly Message[]) => readonly Message[],
  model: Model,
  sampling: Sampling,
  clock?: () => number,
): Promise<Reflected> {
  let left = 0
  const request = {
    messages: () => send(rules.request({ ...failed, left })),
    cut: () => left < failed.steps.length - 1 && ++left > 0,
  }
  const started = clock?.()
  const asked = await attempt(() =>
    createFitting(model, sampling.maxTokens)(request, (maxTokens) =>
      model.complete(request.messages(), { ...sampling, maxTokens }),
    ),
  )
  if ('thrown' in asked) {
    const { thrown } = asked
    return { thrown, measures: measure([], thrown instanceof CallError ? thrown.attempts : []) }
  }
  const { completion } = asked.value
  const { text, reasoning, promptTokens, completionTokens, attempts } = completion
  const reflection: Reflection = {
    reply: text,
    ...(reasoning !== undefined && { reasoning }),
    ...faultIn(completion),
    ...(left > 0 && { left }),
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(attempts && { attempts }),
    ...(started !== undefined && { milliseconds: Math.round(clock!() - started) }),
  }
  return { reflection, measures: measuresOf(reflection) }
}

/** A reflection as the next trial is given it: on one line, so that it cannot be taken for a line of the history. */
export function noteOf({ reply }: Reflection): string {
  return reply.replace(/\s+/g, ' ').trim()
}

function measuresOf({ promptTokens = 0, completionTokens = 0, attempts = [] }: Reflection): Measures {
  return { ...measure([], attempts), modelCalls: 1, promptTokens, completionTokens }
}

function faultIn(completion: Completion): Pick<Reflection, 'fault'> {
  const fault = faultOf(completion)
  return fault === undefined ? {} : { fault }
}
