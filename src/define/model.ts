import { ShaketableError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { checkFields } from './check-fields.js'

/** A model that experiments can name: a control model, or a plug-in. */
export interface ModelDefinition {
  readonly kind: 'model'
  readonly name: string
  readonly summary: string
  /** Where it comes from. */
  readonly source: string
  /**
   * It waits for something outside this process, such as a server: several episodes are played at once, and are timed.
   */
  readonly live?: boolean
  /**
   * Makes the model for a run.
   * @param option the text after the colon in `parrot:new`
   * @throws ShaketableError `usage` for an option that it does not have
   */
  create(option?: string): Model
}

type GivenModel = Pick<ModelDefinition, 'name'> &
  Partial<Pick<ModelDefinition, 'summary' | 'source' | 'live'>> & {
    /** Whether `create` takes an option; one that is given is refused otherwise. */
    readonly takesOption?: boolean
    readonly settings?: Model['settings']
    create?(option?: string): Model
    complete?: Model['complete']
  }

const definitionFields = {
  name: 'string',
  kind: 'string?',
  summary: 'string?',
  source: 'string?',
  live: 'boolean?',
  takesOption: 'boolean?',
  settings: 'object?',
  create: 'function?',
  complete: 'function?',
} as const

/**
 * Defines a model; a file that exports one is a plug-in. It has either `complete`, and `settings` that decide what it
 * says, or `create`, which makes such a model and may keep state of a run.
 * @throws ShaketableError `usage` for a field that is unknown or not of its type, and where it has neither
 */
export function defineModel(definition: GivenModel): ModelDefinition {
  checkFields(`The model '${String(definition.name)}'`, definition, definitionFields)
  const { name, summary = '', source = '', live, takesOption = false, settings = {} } = definition
  if (definition.create === undefined && definition.complete === undefined) {
    throw new ShaketableError('usage', `The model '${name}' needs a function 'complete' or 'create', got neither.`)
  }
  return {
    kind: 'model',
    name,
    summary,
    source,
    ...(live && { live }),
    create(option) {
      if (option !== undefined && !takesOption) {
        const got = option.slice(0, 100)
        throw new ShaketableError('usage', `The model '${name}' takes no option, got '${got}'. Write '${name}'.`)
      }
      if (definition.create !== undefined) return definition.create(option)
      return { name, settings, complete: (messages, sampling) => definition.complete!(messages, sampling) }
    },
  }
}
