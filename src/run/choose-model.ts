import { ShaketableError, nearMiss, unknownName } from '../core/errors.js'
import { baselines } from '../../baselines/index.js'
import { defaultKeyVariable, isSameServer, openAiUrl, plainAddress } from '../models/address.js'
import { openModel } from '../learn/index.js'
import { decidingTraits } from '../models/deciding-traits.js'
import type { ServerTraits } from '../models/index.js'
import { createEndpoint, plainTraits } from '../models/index.js'
import type { Connection, ServerVariables } from './connection.js'
import type { GridModel } from './grid.js'
import type { ModelChoice } from './model-choice.js'
import { fileOf, findControl, roleOf } from './model-choice.js'

/**
 * A trained model from its file, a control model by its name (`parrot`, `parrot:new`), or else a model behind a server. A model with an address of its own is never a control.
 * @param found what its server does, where that was found out; a context that is given by hand wins
 * @param connection what it shares with the other models of a run
 * @throws ShaketableError `usage` for a name that is no control where no server is known, with the near miss; for an
 * address or a key that cannot be used
 */
export function chooseModel(
  choice: ModelChoice,
  baseUrl: string | undefined,
  variables: ServerVariables,
  found: ServerTraits = plainTraits,
  connection?: Connection,
): GridModel {
  const file = fileOf(choice)
  if (file !== undefined) return { model: openModel(file, choice.name), live: false, ...roleOf(choice) }
  const control = findControl(choice)
  if (control !== undefined) {
    if (choice.apiKeyEnv !== undefined) {
      throw new ShaketableError(
        'usage',
        `apiKeyEnv: expected a model behind a server, got the control model '${choice.name}'. Leave apiKeyEnv out, or give the model a baseUrl.`,
      )
    }
    const [, ...option] = choice.name.split(':')
    const model = option.length === 0 ? control.create() : control.create(option.join(':'))
    return { model, live: false, ...roleOf(choice) }
  }
  const address = addressOf(choice, baseUrl, variables)
  const { contextTokens } = choice
  const traits = contextTokens === undefined ? found : { ...found, contextTokens }
  const shared = connection && { ...connection.endpoint, server: connection.servers.at(address.baseUrl) }
  const endpoint = createEndpoint({ ...address, traits, ...shared })
  const model = { ...endpoint, settings: { ...endpoint.settings, ...decidingTraits(traits) } }
  return { model, live: true, address, ...roleOf(choice) }
}

/**
 * Where a model is served and with which key: that of its own variable, or OPENAI_API_KEY at the default server, which
 * is the one that was given for all models or else OpenAI's own.
 */
function addressOf(
  { name, baseUrl: own, apiKeyEnv }: ModelChoice,
  baseUrl: string | undefined,
  variables: ServerVariables,
): GridModel['address'] & {} {
  const given = baseUrl ?? (variables.OPENAI_BASE_URL || undefined)
  if ((own ?? given) === undefined && apiKeyEnv === undefined) checkMeant(name, variables)
  const byDefault = given ?? openAiUrl
  const served = own ?? byDefault
  const keyVariable = apiKeyEnv ?? (isSameServer(served, byDefault) ? defaultKeyVariable : null)
  const apiKey = keyVariable === null ? '' : (variables[keyVariable] ?? '')
  if (apiKeyEnv !== undefined && apiKey.trim() === '') {
    throw new ShaketableError(
      'usage',
      `apiKeyEnv: expected a key for '${name}' in the variable ${apiKeyEnv}, but it is not set. Set it to the key of ${plainAddress(served)}, or leave apiKeyEnv out where none is needed.`,
    )
  }
  return { model: name, baseUrl: served, apiKey, keyVariable }
}

/** Without an address a name is a model of api.openai.com, if there is a key for it and it does not look like a mistyped control. */
function checkMeant(name: string, { OPENAI_API_KEY: key }: ServerVariables): void {
  const controls = baselines.map((baseline) => baseline.name)
  const isControlLike = nearMiss(name, controls) !== undefined
  if (key && !isControlLike) return
  const served = key ? `give --base-url https://api.openai.com/v1` : 'give --base-url, and its key in OPENAI_API_KEY'
  throw new ShaketableError(
    'usage',
    `${unknownName('control model', name, controls)} For a model behind a server ${served}.`,
  )
}
