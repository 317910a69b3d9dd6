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

/** Whether a value is what was learned of a server. */
export function isKnownServer(value: unknown): value is KnownServer {
  const { model, traits, findings } = (value ?? {}) as Partial<KnownServer>
  return typeof model === 'string' && typeof traits === 'object' && Array.isArray(findings)
}

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
  const { servers } = (parseJson(bytes.toString('utf8')) ?? {}) as { readonly servers?: unknown }
  if (Array.isArray(servers) && servers.every(isKnownServer)) return servers
  throw new ShaketableError(
    'store',
    `${path}: expected what was learned of servers, got something else. Restore the file from a copy.`,
  )
}
