import { ShaketableError, nearMiss, unknownName } from '../core/errors.js'
import { baselines } from '../../baselines/index.js'
import { openAiUrl } from '../models/address.js'
import { openModel } from '../learn/index.js'
import { decidingTraits } from '../models/deciding-traits.js'
import type { ServerTraits } from '../models/index.js'
import { createEndpoint, plainTraits } from '../models/index.js'
import type { Connection } from './connection.js'
import type { GridModel } from './grid.js'
import type { ModelChoice } from './model-choice.js'
import { fileOf, findControl, roleOf } from './model-choice.js'

/** The variables of the environment that say where models are served, as the openai package reads them. */
export interface ServerVariables {
  readonly OPENAI_BASE_URL?: string | undefined
  readonly OPENAI_API_KEY?: string | undefined
}

/**
 * A trained model from its file, a control model by its name (`parrot`, `parrot:new`), or else a model behind a server. A model with an address of its own is never a control.
 * @param traits what its server does, where that was found out
 * @param connection what it shares with the other models of a run
 * @throws ShaketableError `usage` for a name that is no control where no server is known, with the near miss.
 */
export function chooseModel(
  choice: ModelChoice,
  baseUrl: string | undefined,
  variables: ServerVariables,
  traits: ServerTraits = plainTraits,
  connection?: Connection,
): GridModel {
  const file = fileOf(choice)
  if (file !== undefined) return { model: openModel(file, choice.name), live: false, ...roleOf(choice) }
  const control = findControl(choice)
  if (control !== undefined) {
    const [, ...option] = choice.name.split(':')
    const model = option.length === 0 ? control.create() : control.create(option.join(':'))
    return { model, live: false, ...roleOf(choice) }
  }
  const address = choice.baseUrl ?? baseUrl ?? (variables.OPENAI_BASE_URL || undefined)
  if (address === undefined) checkMeant(choice.name, variables)
  const served = address ?? openAiUrl
  const shared = connection && { ...connection.endpoint, server: connection.servers.at(served) }
  const endpoint = createEndpoint({ model: choice.name, baseUrl: served, traits, ...shared })
  const model = { ...endpoint, settings: { ...endpoint.settings, ...decidingTraits(traits) } }
  return { model, live: true, baseUrl: served, ...roleOf(choice) }
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
