import type { EndpointOptions, Servers } from '../models/index.js'
import { createServers } from '../models/index.js'
import { defaultKeyVariable, secretsOfAddress } from '../models/address.js'
import type { Experiment } from './experiment.js'

/** The variables of the environment: where models are served, as the openai package reads them, and their keys. */
export interface ServerVariables {
  readonly OPENAI_BASE_URL?: string | undefined
  readonly OPENAI_API_KEY?: string | undefined
  readonly [name: string]: string | undefined
}

/** How the models of an experiment reach their servers, all in the same way. */
export interface Connection {
  readonly servers: Servers
  readonly endpoint: Pick<EndpointOptions, 'attempts' | 'timeoutMs' | 'warn'> & { readonly secrets: readonly string[] }
}

/** Makes the connection that an experiment asks for; nothing is opened before the first call. */
export function createConnection(
  experiment: Experiment,
  warn?: (message: string) => void,
  variables: ServerVariables = process.env,
): Connection {
  const { concurrency, requestsPerMinute, tokensPerMinute, attempts, timeoutSeconds } = experiment
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
      secrets: secretsOf(experiment, variables),
      ...(attempts !== undefined && { attempts }),
      ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
      ...(warn && { warn }),
    },
  }
}

/** The keys of all models of an experiment, and logins and queries of their addresses: none is said of any server. */
function secretsOf({ baseUrl, models }: Experiment, variables: ServerVariables): readonly string[] {
  const names = [defaultKeyVariable, ...models.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])]
  const addresses = [baseUrl, variables.OPENAI_BASE_URL, ...models.map((model) => model.baseUrl)]
  return [
    ...names.map((name) => (variables[name] ?? '').trim()),
    ...addresses.flatMap((address) => secretsOfAddress(address ?? '')),
  ]
}
