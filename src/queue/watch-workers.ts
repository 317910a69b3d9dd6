import type { QueueConnection } from './connect.js'
import { readWorkers } from './runs.js'

/** Looks after which the lack of workers is said. */
const patience = 3

/** Watches the workers of a run, and calls `tell` when none is there or one does not play it. */
export function watchWorkers(connection: QueueConnection, id: string, tell: (text: string) => void) {
  /** Why workers do not reach the server of a model: by model, then by id of the worker. */
  const missing = new Map<string, Map<string, string>>()
  let withoutWorkers = 0
  return {
    /** Reads their signs of life. @returns why none of them reaches a server, if so */
    async read(): Promise<string | undefined> {
      const workers = await readWorkers(connection)
      const playing = [...workers].filter(([, { slots }]) => slots[id] !== undefined)
      withoutWorkers = playing.length > 0 ? 0 : withoutWorkers + 1
      if (withoutWorkers === patience)
        tell(`No worker plays this run. Start one, here or elsewhere: shaketable worker --queue ${connection.shown}`)
      for (const { host, pid, refused } of workers.values()) {
        const why = refused[id]
        if (why !== undefined) tell(`The worker ${String(pid)} on ${host} does not play this run: ${why}`)
      }
      for (const whys of missing.values()) {
        for (const worker of whys.keys()) if (!workers.has(worker)) whys.delete(worker)
        if (whys.size > 0 && playing.every(([worker]) => whys.has(worker))) return [...whys.values()].at(-1)
        for (const [worker, why] of whys) {
          const { pid, host } = workers.get(worker)!
          tell(`The worker ${String(pid)} on ${host} does not reach a server; others play on. ${why}`)
        }
      }
      return undefined
    },
    /** A worker does not reach the server of a model. */
    missed(model: string, worker: string, why: string): void {
      const whys = missing.get(model) ?? new Map<string, string>()
      missing.set(model, whys.set(worker, why))
    },
    /** A worker reached the server of a model. */
    reached: (model: string): void => void missing.delete(model),
  }
}
