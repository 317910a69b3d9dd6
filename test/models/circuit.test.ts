import { describe, expect, it } from 'vitest'
import { CallError } from '../../src/models/call-error.js'
import type { Completion, Model } from '../../src/core/model.js'
import { createCircuit, withCircuit } from '../../src/models/circuit.js'
import { EndpointError } from '../../src/models/endpoint-error.js'

const sampling = { temperature: 0, seed: 1, maxTokens: 10, stop: [] }
const busy = new EndpointError('model', 'busy.', { outcome: 'server-error', status: 500 })
const refused = new EndpointError('model', 'refused.', { outcome: 'refused', status: 401, decisive: true })
const overflow = new CallError('context-overflow', 'too long', [])

function callsOf(...results: readonly (Error | string)[]) {
  const circuit = createCircuit()
  let calls = 0
  const model: Model = {
    name: 'm',
    settings: {},
    complete(): Completion {
      const result = results[Math.min(calls++, results.length - 1)]!
      if (result instanceof Error) throw result
      return { text: result }
    },
  }
  const guarded = withCircuit(model, circuit)
  const call = async (times: number): Promise<void> => {
    for (let one = 0; one < times; one++) await Promise.resolve(guarded.complete([], sampling)).catch(() => undefined)
  }
  return { circuit, guarded, call, calls: () => calls }
}

describe('a circuit breaker', () => {
  it('opens after three consecutive calls that fail for a reason common to all calls', async () => {
    const { circuit, guarded, call, calls } = callsOf(refused)
    await call(2)
    expect(circuit.opened.aborted).toBe(false)
    await call(1)
    await expect(guarded.complete([], sampling)).rejects.toThrow(
      '3 calls in a row have failed, so the run was stopped. The last: refused.',
    )
    expect(calls()).toBe(3)
  })

  it('tolerates more failures of a temporary kind', async () => {
    const { circuit, call } = callsOf(busy)
    await call(23)
    expect(circuit.opened.aborted).toBe(false)
    await call(1)
    expect(circuit.opened.aborted).toBe(true)
  })

  it.each([
    ['an answer', 'look'],
    ['a conversation that is too long', overflow],
  ] as const)('starts to count again after %s', async (_, answered) => {
    const { circuit, call } = callsOf(refused, refused, answered, refused, refused, answered, busy)
    await call(17)
    expect(circuit.opened.aborted).toBe(false)
  })
})
