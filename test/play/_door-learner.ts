import type { Agent, Message, Model, Sampling } from '../../src/index.js'

/** The calls that a model received. */
export interface ReceivedRequest {
  readonly messages: readonly Message[]
  readonly sampling: Sampling
}

/**
 * Opens door 0 until it has a plan: in a reflection it plans to open the door after the one that it tried, and does so
 * when it is given its plan. Only its reflections improve it.
 */
export function doorLearner(agent: Agent, fail: (received: ReceivedRequest, call: number) => void = () => undefined) {
  const received: ReceivedRequest[] = []
  const model: Model = {
    name: 'learner',
    settings: {},
    complete(messages, sampling) {
      received.push({ messages, sampling })
      fail(received.at(-1)!, received.length)
      const text = messages.map(({ content }) => content).join('\n')
      const usage = { promptTokens: 100, completionTokens: 7 }
      if (isReflection(messages)) {
        const tried = Number(/Action: (?:open|unlock) door (\d+)/.exec(text)![1])
        return { text: `Plan:\n  open  door ${String(tried + 1)}\n`, ...usage }
      }
      const plans = [...text.matchAll(/^Trial \d+: Plan: open door (\d+)$/gm)]
      const verb = text.includes('unlock {door}') ? 'unlock' : 'open'
      return { text: agent.phrase(`${verb} door ${plans.at(-1)?.[1] ?? '0'}`), ...usage }
    },
  }
  return { model, heard: received }
}

/** Whether a model is asked for a reflection on a trial. */
export function isReflection(messages: readonly Message[]): boolean {
  return messages.at(-1)!.content.endsWith('\nNew plan: ')
}
