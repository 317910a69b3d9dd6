import { existsSync } from 'node:fs'
import type { ProbeOptions, ProbeReport } from '../models/probe/index.js'
import { probeServer } from '../models/probe/index.js'
import type { ServerTraits } from '../models/traits.js'
import { plainTraits } from '../models/traits.js'
import { readServers } from './servers.js'
import { filesOf } from './store/files.js'

/** Finds out what the servers of a run do. */
export interface ServerLearner {
  /** @throws ShaketableError `model` for a server that does not answer, `usage` for one that cannot be used as given */
  traitsOf(served: ProbeOptions & { readonly name: string }): Promise<ServerTraits>
  /** Whether a model that was asked, now or when the run was begun, thinks before it answers. */
  reasons(model: string): boolean
  /** What was learned anew, to be kept with the run. */
  learned(): readonly ProbeReport[]
}

/** What learning needs. */
export interface LearnOptions {
  readonly folder: string
  /** Whether servers are asked; otherwise the plainest is assumed. */
  readonly probe: boolean
  /** For one call. */
  readonly timeoutMs?: number
  /** Hears of each server that was asked. */
  readonly tell: (report: ProbeReport) => void
  /** Hears of each long wait before it begins. */
  readonly warn?: (message: string) => void
  readonly signal?: AbortSignal
}

/**
 * A new run asks each server once. A run that was begun goes on with what it knew at its start, whatever the server does by now, so that
 * its episodes stay comparable and keep their keys.
 */
export function learnServers({ folder, probe, timeoutMs, tell, warn, signal }: LearnOptions): ServerLearner {
  const files = filesOf(folder)
  let begun = existsSync(files.plan)
  const known = begun ? readServers(files.servers, () => (begun = false)) : []
  const learned: ProbeReport[] = []
  return {
    async traitsOf(served) {
      if (begun || !probe) return known.find(({ model }) => model === served.name)?.traits ?? plainTraits
      const report = await probeServer({
        ...served,
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(warn && { warn }),
        ...(signal && { signal }),
      })
      learned.push(report)
      tell(report)
      return report.traits
    },
    reasons: (model) =>
      [...known, ...learned].some(
        (report) =>
          report.model === model &&
          report.findings.some(({ name, value }) => name === 'reasoning' && value !== 'none' && value !== 'unknown'),
      ),
    learned: () => learned,
  }
}
