import { type Agent, defineAgent } from '../core/agent.js'
import type { Fields } from '../define/check-fields.js'
import { type DataFilter, defineDataFilter } from '../training/data-filter.js'
import type { EnvironmentKind } from '../define/environment.js'
import type { ErrorCode } from '../core/errors.js'
import type { ModelDefinition } from '../define/model.js'
import { type Perturbation, definePerturbation } from '../core/perturbation.js'
import { type Report, defineReport } from './plan.js'
import type { Law } from '../laws/law.js'
import type { HookRules } from './guard.js'

/** The type of each kind of definition, by its `kind`. */
export interface Kinds {
  readonly environment: EnvironmentKind
  readonly lens: Perturbation
  readonly filter: DataFilter
  readonly model: ModelDefinition
  readonly agent: Agent
  readonly report: Report
  readonly law: Law
}

export type Kind = keyof Kinds

/** The rules of a kind of definition. */
interface KindRules {
  /** Such as `perturbation`. */
  readonly called: string
  readonly fields?: Fields
  /** Gives a plain object the fields that it leaves out. */
  readonly complete?: (definition: never) => Kinds[Kind]
  readonly hooks: HookRules
  /** Code of the errors that its hooks throw. */
  readonly code: ErrorCode
}

const words = { summary: '', source: '' }
const described = { name: 'string', summary: 'string?', source: 'string?', kind: 'string?' } as const

const waits = { waits: true } as const
const worldHooks: HookRules = {
  ...{ step: { waits: true, outside: true }, read: {} },
  ...{ refuse: waits, admissible: waits, understands: waits, solve: waits },
}

/** The hooks of a lens, and what they return. */
const lensHooks: HookRules = {
  form: { gives: 'string' },
  name: { gives: 'string' },
  text: { gives: 'text' },
  brief: { gives: { system: 'string?', instruction: 'text?', examples: 'examples?', help: 'strings?' } },
  commands: { gives: 'strings' },
  act: { gives: { fails: 'fails', answer: 'text', charged: 'boolean?', delay: 'count?' }, mayBeNothing: true },
  wrap: { gives: 'object' },
}

const completion: Fields = {
  text: 'string',
  finish: 'string?',
  finishReason: 'string?',
  reasoning: 'string?',
  unclosed: 'boolean?',
  tooLong: 'boolean?',
  unparsed: 'string?',
  toolCalls: 'calls?',
  logprobs: 'list?',
  promptTokens: 'number?',
  completionTokens: 'number?',
  attempts: 'list?',
  day: 'string?',
}
const modelHooks: HookRules = { complete: { waits: true, outside: true, gives: completion } }

/** The rules by kind. Shipped definitions follow them too. */
export const definitions: { readonly [K in Kind]: KindRules } = {
  lens: {
    called: 'perturbation',
    code: 'perturbation',
    fields: {
      ...described,
      version: 'any?',
      promise: 'string',
      touches: 'string?',
      keepsMeaning: 'boolean?',
      adversarial: 'any?',
      enlarges: 'any?',
      graded: 'boolean?',
      environment: 'string?',
      counterpartOf: 'string?',
      draws: 'number?',
      options: 'object?',
      promises: 'object?',
      takesCondition: 'string?',
      laysOut: 'boolean?',
      open: 'function',
    },
    complete: (perturbation: Perturbation) => definePerturbation({ ...words, ...perturbation }),
    hooks: {
      open: {
        gives: {
          ...(Object.fromEntries(Object.keys(lensHooks).map((hook) => [hook, 'function?'])) as Fields),
          rules: 'strings?',
          lists: 'lists?',
          recovery: 'recovery?',
        },
        hooks: lensHooks,
      },
    },
  },
  filter: {
    called: 'data filter',
    code: 'bad-input',
    fields: { ...described, version: 'any?', rules: 'list?', environments: 'list?', open: 'function' },
    complete: (filter: DataFilter) => defineDataFilter({ ...words, ...filter }),
    hooks: { open: { gives: 'function' } },
  },
  environment: {
    called: 'environment',
    code: 'environment',
    hooks: {
      open: {
        waits: true,
        gives: 'object',
        hooks: {
          find: {},
          normalise: { gives: 'string' },
          begin: { waits: true, gives: 'object', hooks: worldHooks },
        },
      },
    },
  },
  agent: {
    called: 'agent',
    code: 'bad-input',
    fields: {
      ...described,
      settings: 'object?',
      stop: 'strings?',
      offersFunctions: 'boolean?',
      takesLayouts: 'boolean?',
      endpoint: 'string?',
      begin: 'function',
      phrase: 'function?',
      think: 'function?',
      trials: 'object?',
    },
    complete: defineAgent,
    hooks: {
      begin: {
        gives: {
          ...{ messages: 'function', read: 'function', observe: 'function' },
          ...{ phrase: 'function?', tools: 'function?', cut: 'function?', stop: 'strings?' },
        },
        hooks: {
          messages: { gives: 'list' },
          read: { gives: { action: 'string?', thought: 'string?', actionEnded: 'boolean?', formatError: 'string?' } },
          phrase: { gives: 'string' },
          observe: {},
          tools: {},
          cut: {},
        },
      },
      phrase: { gives: 'string' },
      think: { gives: 'string' },
    },
  },
  model: {
    called: 'model',
    code: 'model',
    hooks: {
      create: { gives: 'object', hooks: { ...modelHooks, withWorld: { gives: 'object', hooks: modelHooks } } },
    },
  },
  report: {
    called: 'report',
    code: 'bad-input',
    fields: { ...described, render: 'function', isLeftover: 'function?' },
    complete: defineReport,
    hooks: { render: {}, isLeftover: {} },
  },
  law: {
    called: 'law',
    code: 'bad-input',
    hooks: { applies: {}, check: { waits: true, gives: 'object' } },
  },
}

const promises = ['invariant', 'identity', 'harder', 'easier']

/** Checks what the types of the fields do not: a name that is safe in a command line, and a promise that there is. */
export function commonProblem({
  name,
  kind = 'lens',
  promise,
}: Readonly<Record<string, unknown>>): readonly [field: string, needs: string] | undefined {
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 60)
    return ['name', 'a name of at most 60 small letters, digits and single dashes, such as my-perturbation']
  if (kind === 'lens' && promise !== undefined && !promises.includes(promise as string))
    return ['promise', "'invariant', 'identity', 'harder' or 'easier'"]
  return undefined
}
