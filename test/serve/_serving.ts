import { createReader } from '../../baselines/reader.js'
import type { Serving } from '../../src/proxy/server.js'
import type { ServeOptions } from '../../src/proxy/served.js'
import { serve } from '../../src/proxy/served.js'
import type { FaultOptions, FaultShares } from './_faults.js'
import { readFaults, spoil } from './_faults.js'

/** What a reader is served with, some of its answers spoilt. */
export type ReaderOptions = Partial<ServeOptions> & FaultOptions

/** A reader on its own loopback port. */
export function serveReader(options: ReaderOptions = {}): Promise<Serving> {
  return serve({ models: [createReader()], port: 0, host: '127.0.0.1', ...spoil(options), ...options })
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
