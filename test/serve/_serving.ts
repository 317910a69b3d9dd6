import { createReader } from '../../baselines/reader.js'
import type { FaultShares, ServeOptions } from '../../src/serve/fault-plan.js'
import type { Serving } from '../../src/serve/server.js'
import { readFaults } from '../../src/serve/fault-plan.js'
import { serve } from '../../src/serve/server.js'

/** A reader on its own loopback port. */
export function serveReader(options: Partial<ServeOptions> = {}): Promise<Serving> {
  return serve({ models: [createReader()], port: 0, host: '127.0.0.1', ...options })
}

/** Every answer with one kind of fault. */
export function always(fault: string): FaultShares {
  return readFaults(`${fault}=1`)
}

/** A conversation to which the reader has an answer. */
export const question = [
  { role: 'system' as const, content: 'You keep house.' },
  { role: 'user' as const, content: 'Your task is to: put a mug in desk.\nAction: ' },
]
