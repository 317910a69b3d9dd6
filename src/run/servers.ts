import * as z from 'zod'
import { parseJson } from '../files/json.js'
import { ShaketableError } from '../core/errors.js'
import { readWhole } from '../files/read-text.js'
import { writeWhole } from '../files/write-whole.js'
import type { ServedChange } from './plan.js'
import type { ProbeReport } from '../models/probe/probe-server.js'

/** The probe report of a server, and later changes of its model. */
export interface KnownServer extends ProbeReport {
  readonly changes?: readonly ServedChange[]
}

const count = z.number().int().nonnegative()
const fields = z.record(z.string(), z.number())
const traits = z.object({
  endpoint: z.enum(['chat', 'completions']),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']),
  systemRole: z.enum(['accepted', 'fold']),
  consecutiveRoles: z.enum(['accepted', 'merge']),
  seed: z.enum(['sent', 'refused']),
  stop: count,
  tools: z.enum(['accepted', 'refused', 'unknown']),
  reasoning: z.enum(['opened', 'sent back']).optional(),
  contextTokens: count.optional(),
  samplers: z.object({ sent: fields }).optional(),
  logprobs: z.literal('top').optional().catch(undefined),
})
const value = z.union([z.string(), z.number()])
const change = z.object({
  accepted: z.boolean(),
  differences: z.array(z.object({ name: z.string(), was: value, is: value })),
})
/** The report of a server as plain JSON. */
export const knownServer = z.object({
  schema: z.literal(1),
  address: z.string(),
  model: z.string(),
  servedAs: z.string().optional(),
  findings: z.array(z.object({ name: z.string(), value, evidence: z.string() })),
  traits,
  calls: count,
  served: z.record(z.string(), value).optional(),
  changes: z.array(change).optional(),
})
/** Reports of servers as plain JSON. */
export const knownServers = z.array(knownServer)
const file = z.object({ schema: z.literal(1), servers: knownServers })

/** Writes servers.json, the reports of a run's servers, atomically. */
export function writeServers(path: string, servers: readonly KnownServer[]): void {
  writeWhole(path, `${JSON.stringify({ schema: 1, servers }, undefined, 1)}\n`)
}

/**
 * Reads servers.json; empty if the run was started without probing its servers.
 * @throws ShaketableError `store` if the file is damaged or cannot be read
 */
export function readServers(path: string): readonly KnownServer[] {
  const bytes = readWhole(path)
  if (bytes === undefined) return []
  const read = file.safeParse(parseJson(bytes.toString('utf8')))
  if (read.success) return read.data.servers as readonly KnownServer[]
  const { path: where, message } = read.error.issues[0]!
  throw new ShaketableError(
    'store',
    `${path}: expected what was learned of servers, got at '${where.join('.')}': ${message}. Restore the file from a copy.`,
  )
}
