import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Completion, Message, Model, Sampling } from '../../../src/core/model.js'

/** A model that never gives the same reply twice, like one on a server at temperature 1. */
export function noisy(changes: Partial<Model> = {}): Model & { readonly calls: () => number } {
  let calls = 0
  return {
    name: 'noisy',
    settings: { endpoint: 'http://localhost/v1' },
    complete: (): Completion => ({ text: `look ${String(++calls)}`, finish: 'stop', promptTokens: 50 + calls }),
    ...changes,
    calls: () => calls,
  }
}

/** The nth request of an agent in an episode: a prompt that grows. */
export function ask(number: number, changes: Partial<Sampling> = {}): [readonly Message[], Sampling] {
  const lines = Array.from({ length: number }, (_, index) => `Action: look\nObservation: room ${String(index)}\n`)
  const messages: Message[] = [
    { role: 'system', content: 'You are an agent. ' },
    { role: 'user', content: `${'Long instructions. '.repeat(50)}${lines.join('')}Action: ` },
  ]
  const call = { episode: 'household · task 1 · none · act', number }
  return [messages, { temperature: 1, seed: 0, maxTokens: 100, stop: ['\n'], call, ...changes }]
}

/** A folder that is removed after the tests of a file, and unused names in it. */
export function scratchPaths(name: string): () => string {
  const scratch = mkdtempSync(join(tmpdir(), `shaketable-${name}-`))
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))
  let paths = 0
  return () => join(scratch, `path-${String(paths++)}`)
}
