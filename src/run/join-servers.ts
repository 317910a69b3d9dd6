import { ShaketableError } from '../core/errors.js'
import type { ServedChange } from './plan.js'
import { compareServed, describeDifferences } from '../models/probe/identity.js'
import { changesOf, maxChanges } from './learn-servers.js'
import type { KnownServer } from './servers.js'

/** The servers of a run, with its folder for messages. */
interface ServersOfRun {
  readonly folder: string
  readonly servers: readonly KnownServer[]
}

/**
 * Joins what several runs learned of their servers. The report of the first run with a model stands; if another run's
 * server had another identity under that name, the change is noted as in a resumed run.
 * @throws ShaketableError `usage` for another model under the same name, unless that is accepted
 */
export function joinServers(
  runs: readonly ServersOfRun[],
  acceptsChange: boolean,
): { readonly servers: readonly KnownServer[]; readonly notes: string[] } {
  const joined = new Map<string, { server: KnownServer; folder: string; changes: ServedChange[] }>()
  const notes: string[] = []
  for (const { folder, servers } of runs) {
    for (const server of servers) {
      const known = joined.get(server.model)
      if (known === undefined) {
        joined.set(server.model, { server, folder, changes: [...(server.changes ?? [])] })
        continue
      }
      const { decisive, volatile } = compareServed(known.server.served ?? {}, server.served ?? {})
      const what = describeDifferences([...decisive, ...volatile])
      if (decisive.length > 0 && !acceptsChange) {
        throw new ShaketableError(
          'usage',
          `${folder} was played with another model under the name '${server.model}' than ${known.folder}: ${what}. Leave one of them out, or give --accept-changed-model to have both in one run, which its reports then say.`,
        )
      }
      if (what !== '')
        notes.push(`${folder} and ${known.folder} differ in the model '${server.model}': ${what}. It is noted.`)
      for (const change of [...(server.changes ?? []), ...changesOf({ decisive, volatile })]) {
        const isKnown = known.changes.some((one) => JSON.stringify(one) === JSON.stringify(change))
        if (!isKnown && known.changes.length < maxChanges) known.changes.push(change)
      }
    }
  }
  return {
    servers: [...joined.values()].map(({ server, changes }) => ({ ...server, ...(changes.length > 0 && { changes }) })),
    notes,
  }
}
