import type { FailedTrial } from '../core/agent.js'
import type { Message } from '../core/model.js'
import { textOf } from '../core/text.js'
import { layMemory } from './_layout.js'

const question = `Do not describe the place again. Think about what you tried and where it went wrong, and write a short plan that names the actions to take \
instead. You will be given it before you try the same task again.
New plan: `

/**
 * Asks for a reflection as Reflexion does: what happened, plans of before, and a new plan to be written. It is the same
 * for every layout of replies.
 */
export function askForReflection({ briefing, opening, steps, left }: FailedTrial): readonly Message[] {
  const { instruction, goal, memory = [] } = briefing
  const shown = steps
    .slice(left)
    .flatMap(({ action, observation }) => [`Action: ${action}`, `Observation: ${observation}`])
  const content = [
    `${textOf(instruction).trimEnd()}\n`,
    `You tried to do this: ${goal}\nYou did not get it done. This is what happened:\n`,
    [
      `Observation: ${opening}`,
      ...(left === 0 ? [] : [`(${String(left)} earlier steps are left out.)`]),
      ...shown,
      '',
    ].join('\n'),
    ...(memory.length === 0 ? [] : [layMemory(memory).join('').trimStart()]),
    question,
  ].join('\n')
  return [
    { role: 'system', content: briefing.system },
    { role: 'user', content },
  ]
}
