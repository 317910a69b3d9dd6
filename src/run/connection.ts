import type { EndpointOptions, Servers } from '../models/index.js'
import { createServers } from '../models/index.js'
import { defaultKeyVariable, fillAddress, secretsOfAddress } from '../models/address.js'
import { referencesIn } from '../models/variables.js'
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
  readonly endpoint: Pick<EndpointOptions, 'attempts' | 'timeoutMs' | 'warn' | 'fingerprint'> & {
    readonly secrets: readonly string[]
  }
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
  const addresses = [baseUrl, variables.OPENAI_BASE_URL, ...models.map((model) => model.baseUrl)]
  const referring = models.flatMap(({ headers, extraBody }) => [headers, extraBody])
  const names = [
    defaultKeyVariable,
    ...models.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []),
    ...[...addresses, ...referring].flatMap(referencesIn),
  ]
  return [
    ...names.map((name) => (variables[name] ?? '').trim()),
    ...addresses.flatMap((address) => secretsOfFilled(address ?? '', variables)),
  ]
}

/**
 * What must not be said of an address; of one from variables that is its host too. An address of which nothing comes is
 * refused elsewhere.
 */
function secretsOfFilled(address: string, variables: ServerVariables): readonly string[] {
  if (referencesIn(address).some((name) => (variables[name] ?? '').trim() === '')) return []
  try {
    const { baseUrl, shown } = fillAddress(address, variables)
    const { host, hostname } = new URL(baseUrl)
    return [...secretsOfAddress(baseUrl), ...(shown === undefined ? [] : [host, hostname])]
  } catch {
    return []
  }
}
