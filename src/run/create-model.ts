import { nearMiss, unknownName, usageError } from '../core/errors.js'
import {
  defaultKeyVariable,
  fillAddress,
  isSameServer,
  openAiUrl,
  plainAddress,
  secretsOfAddress,
} from '../models/address.js'
import { isOrdinary } from '../files/redactor.js'
import { addSecrets } from '../environments/secrets.js'
import { openModel } from '../training/learn/model-file.js'
import { decidingTraits } from '../models/traits.js'
import type { EndpointOptions, ServerTraits, Servers } from '../models/index.js'
import { fillReferences, referencesIn } from '../files/variables.js'
import type { Model } from '../core/model.js'
import { createEndpoint, createServers, plainTraits } from '../models/index.js'
import type { GridModel } from './grid.js'
import { type ModelChoice, fileOf, findControl, roleOf, servedOptions, settingsOf } from './model-choice.js'
import { type Registry, shipped } from './registry.js'
import type { Budget } from './budget.js'
import type { Experiment } from './experiment.js'

/**
 * Opens a trained model from its file, a control model by its name (`parrot`, `parrot:new`), or else a model behind a
 * server. A model with its own address is never a control.
 * @param found probed traits of its server; a context length given in the experiment overrides theirs
 * @param registry holds the controls and the models of plug-ins
 * @param connection shared with the other models of a run
 * @throws ShaketableError `usage` for a name that is not a control if no server is known, with the nearest control
 * name; for an unusable address or key
 */
export function createModel(
  choice: ModelChoice,
  baseUrl: string | undefined,
  variables: ServerVariables,
  found: ServerTraits = plainTraits,
  connection?: Connection,
  registry = shipped,
): GridModel {
  const file = fileOf(choice)
  const control = findControl(choice, registry)
  if (file !== undefined || control !== undefined) {
    const option = servedOptions.find((servedOption) => choice[servedOption] !== undefined)
    if (option !== undefined) {
      const what = file === undefined ? 'the control model' : 'the model in a file'
      throw usageError(
        `${option}: expected a model behind a server, got ${what} '${choice.name}'. Leave ${option} out, or give the model a baseUrl.`,
      )
    }
  }
  if (file !== undefined)
    return { model: withSettings(openModel(file, choice.name), choice), live: false, ...roleOf(choice) }
  if (control !== undefined) {
    const [, ...rest] = choice.name.split(':')
    const model = rest.length === 0 ? control.create() : control.create(rest.join(':'))
    return { model: withSettings(model, choice), live: control.live ?? false, ...roleOf(choice) }
  }
  const address = addressOf(choice, baseUrl, variables, registry)
  const { contextTokens, api, extraBody } = choice
  const traits = { ...found, ...(contextTokens !== undefined && { contextTokens }), ...(api && { endpoint: api }) }
  // The neutral values of the samplers that the server accepts, overridden by the model's own.
  const { sampling: own = {} } = choice
  const sampling = own === 'server' ? own : { ...found.samplers?.sent, ...own }
  const isSampling = Object.keys(sampling).length > 0
  const settings = {
    ...(isSampling && typeof sampling === 'object' && { sampling }),
    ...(extraBody && { extraBody: fillReferences(extraBody, variables, `extraBody of '${choice.name}'`) }),
  }
  const shared = connection && {
    ...connection.endpoint,
    server: connection.servers.at(address.baseUrl, address.shown),
    ...(connection.budget && { meter: connection.budget.meter }),
  }
  const model = withSettings(createEndpoint({ ...address, traits, settings, ...shared }), choice)
  const decided = { ...decidingTraits(traits), ...(isSampling && { sampling }) }
  return {
    model: { ...model, settings: { ...model.settings, ...decided } },
    live: true,
    address: { ...address, settings },
    ...roleOf(choice),
  }
}

/** A model with the name and the settings that its experiment gives it. */
function withSettings(model: Model, choice: ModelChoice): Model {
  return {
    ...model,
    name: choice.model === undefined ? model.name : choice.name,
    settings: { ...model.settings, ...settingsOf(choice) },
  }
}

/**
 * The address and the key of a model's server, as {@link createModel} finds them. The key comes from the model's own
 * variable, or from OPENAI_API_KEY at the default server: the one given for all models, or else OpenAI's own.
 */
export function addressOf(
  { name, model = name, baseUrl: ownText, apiKeyEnv, headers }: ModelChoice,
  baseUrl: string | undefined,
  variables: ServerVariables,
  registry: Registry = shipped,
): GridModel['address'] & {} {
  const own = ownText === undefined ? undefined : fillAddress(ownText, variables)
  const forAll = baseUrl ?? (variables.OPENAI_BASE_URL || undefined)
  const given = forAll === undefined ? undefined : fillAddress(forAll, variables)
  if ((own ?? given) === undefined && apiKeyEnv === undefined) checkMeant(model, variables, registry)
  const byDefault = given ?? { baseUrl: openAiUrl }
  const served = own ?? byDefault
  const keyVariable = apiKeyEnv ?? (isSameServer(served.baseUrl, byDefault.baseUrl) ? defaultKeyVariable : null)
  const apiKey = keyVariable === null ? '' : (variables[keyVariable] ?? '')
  if (apiKeyEnv !== undefined && apiKey.trim() === '') {
    throw usageError(
      `apiKeyEnv: expected a key for '${name}' in the variable ${apiKeyEnv}, but it is not set. Set it to the key of ${served.shown ?? plainAddress(served.baseUrl)}, or leave apiKeyEnv out where none is needed.`,
    )
  }
  return {
    model,
    ...served,
    apiKey,
    keyVariable,
    ...(headers && { headers: fillReferences(headers, variables, `headers of '${name}'`) }),
  }
}

/**
 * Without an address a name means a model of api.openai.com, if its key is set and the name does not look like a
 * mistyped control.
 */
function checkMeant(name: string, { OPENAI_API_KEY: key }: ServerVariables, registry: Registry): void {
  const controls = registry.list('model').map((control) => control.name)
  const isControlLike = nearMiss(name, controls) !== undefined
  if (key && !isControlLike) return
  const served = key ? `give --base-url https://api.openai.com/v1` : 'give --base-url, and its key in OPENAI_API_KEY'
  throw usageError(`${unknownName('control model', name, controls)} For a model behind a server ${served}.`)
}

/** Environment variables with addresses, named as in the openai package, and keys of model servers. */
interface ServerVariables {
  readonly OPENAI_BASE_URL?: string | undefined
  readonly OPENAI_API_KEY?: string | undefined
  readonly [name: string]: string | undefined
}

/** What all models of an experiment share to reach their servers. */
export interface Connection {
  readonly servers: Servers
  /** Asked before each attempt at a call. */
  readonly budget?: Pick<Budget, 'meter'>
  readonly endpoint: Pick<EndpointOptions, 'attempts' | 'timeoutMs' | 'warn' | 'fingerprint' | 'verify'> & {
    readonly secrets: readonly string[]
  }
}

/** Creates the connection of an experiment. Nothing is opened before the first call. */
export function createConnection(
  experiment: Partial<Experiment> & Pick<Experiment, 'models' | 'concurrency'>,
  warn?: (message: string) => void,
  variables: ServerVariables = process.env,
): Connection {
  const { concurrency, requestsPerMinute, attempts, timeoutSeconds } = experiment
  const { keys, filled } = secretsOf(experiment, variables)
  const secrets = [...keys, ...filled]
  // An environment's texts have everyday words, which a variable for a header or a host may hold as well.
  addSecrets([...keys, ...filled.filter((value) => !isOrdinary(value))])
  return {
    servers: createServers({ concurrency, ...(requestsPerMinute !== undefined && { requestsPerMinute }) }, warn),
    endpoint: {
      secrets,
      ...(attempts !== undefined && { attempts }),
      ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
      ...(warn && { warn }),
    },
  }
}

/**
 * The keys of all models of an experiment with the logins and queries in their addresses, and what variables fill in
 * elsewhere: no message may show them.
 */
function secretsOf({ baseUrl, models }: Parameters<typeof createConnection>[0], variables: ServerVariables) {
  const addresses = [baseUrl, variables.OPENAI_BASE_URL, ...models.map((model) => model.baseUrl)]
  const referring = models.flatMap(({ headers, extraBody }) => [headers, extraBody])
  const valueOf = (name: string): string => (variables[name] ?? '').trim()
  const keys = [defaultKeyVariable, ...models.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])].map(valueOf)
  const filled = [...addresses, ...referring].flatMap(referencesIn).map(valueOf)
  for (const address of addresses) {
    try {
      const { baseUrl: url, shown } = fillAddress(address ?? '', variables)
      keys.push(...secretsOfAddress(url))
      if (shown !== undefined) filled.push(new URL(url).host, new URL(url).hostname)
    } catch {
      // An unusable address is refused where it is used.
    }
  }
  return { keys, filled }
}
