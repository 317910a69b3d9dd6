import type { EndpointOptions, Servers } from '../models/index.js'
import { createServers } from '../models/index.js'
import type { Experiment } from './experiment.js'

/** How the models of an experiment reach their servers, all in the same way. */
export interface Connection {
  readonly servers: Servers
  readonly endpoint: Pick<EndpointOptions, 'attempts' | 'timeoutMs' | 'warn'>
}

/** Makes the connection that an experiment asks for; nothing is opened before the first call. */
export function createConnection(
  { concurrency, requestsPerMinute, tokensPerMinute, attempts, timeoutSeconds }: Experiment,
  warn?: (message: string) => void,
): Connection {
  return {
    servers: createServers(
      {
        concurrency,
        ...(requestsPerMinute !== undefined && { requestsPerMinute }),
        ...(tokensPerMinute !== undefined && { tokensPerMinute }),
      },
      warn,
    ),
    endpoint: {
      ...(attempts !== undefined && { attempts }),
      ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
      ...(warn && { warn }),
    },
  }
}
