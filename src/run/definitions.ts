import type { Agent } from '../core/agent.js'
import type { Fields } from '../define/check-fields.js'
import { isStrings } from '../define/check-fields.js'
import type { DataFilter } from '../training/data-filter.js'
import type { EnvironmentKind } from '../define/environment.js'
import type { ErrorCode } from '../core/errors.js'
import type { ModelDefinition } from '../define/model.js'
import type { Perturbation } from '../core/perturbation.js'
import { touched } from '../core/perturbation.js'
import { isText } from '../define/check-fields.js'
import type { Report } from './plan.js'
import type { Law } from '../laws/law.js'
import type { HookRule } from './guard.js'

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
  /** The call that makes one, for messages. */
  readonly made: string
  readonly fields: Fields
  /** Fields by words that people write for them, however unlike they are. */
  readonly meant?: Readonly<Record<string, string>>
  /** Defaults of the fields that a plain object may leave out. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Checks a definition beyond the types of its fields: the faulty field, and what it needs. */
  readonly problem?: (
    definition: Readonly<Record<string, unknown>>,
  ) => readonly [field: string, needs: string] | undefined
  readonly hooks: Readonly<Record<string, HookRule>>
  /** Code of the errors that its hooks throw. */
  readonly code: ErrorCode
}

const described = { name: 'string', summary: 'string?', source: 'string?', kind: 'string?' } as const
const words = { summary: '', source: '' }

const has =
  (...functions: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    functions.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function')

const aString: HookRule = { gives: { words: 'a string', fits: (value) => typeof value === 'string' } }
const aFunction = (words: string): NonNullable<HookRule['gives']> => ({
  words,
  fits: (value) => typeof value === 'function',
})

/** The hooks of a lens, and what they return. */
const lensHooks: Readonly<Record<string, HookRule>> = {
  form: aString,
  name: aString,
  text: { gives: { words: 'a string or a list of pieces, the pieces themselves where nothing changes', fits: isText } },
  brief: {
    gives: {
      words: 'any of system, instruction, examples and help',
      fits: has(),
      types: { system: 'string?', instruction: 'text?', examples: 'examples?', help: 'strings?' },
    },
  },
  commands: { gives: { words: 'a list of strings', fits: isStrings } },
  act: {
    gives: {
      words: 'undefined, or how the action fails',
      fits: (value) => value === undefined || has()(value),
      types: { fails: 'fails', answer: 'text', charged: 'boolean?', delay: 'count?' },
    },
  },
  wrap: { gives: { words: 'a world, an object with briefing, opening, step and refuse', fits: has('step', 'refuse') } },
}

const aModel: HookRule = {
  gives: { words: 'a model, an object with a function complete(messages, sampling)', fits: has('complete') },
  hooks: {
    complete: {
      waits: true,
      outside: true,
      gives: {
        words: "a completion, an object such as { text: 'look' }",
        fits: has(),
        types: {
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
        },
      },
    },
  },
}

const promises = ['invariant', 'identity', 'harder', 'easier']

/** The rules by kind. Shipped definitions follow them too. */
export const definitions: { readonly [K in Kind]: KindRules } = {
  lens: {
    called: 'perturbation',
    made: 'definePerturbation({ name, summary, source, promise, open })',
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
      laysOut: 'boolean?',
      open: 'function',
    },
    meant: { intensity: 'graded' },
    defaults: { ...words, version: '1', graded: false },
    problem({ promise, promises: others = {}, ...marks }) {
      const given = [['promise', promise], ...Object.values(others as object).map((one) => ['promises', one])] as const
      const wrong = given.find(([, one]) => !promises.includes(one as string))
      if (wrong !== undefined) return [wrong[0] as string, "'invariant', 'identity', 'harder' or 'easier'"]
      const { touches } = marks
      if (touches !== undefined && !touched.some((one) => one === touches))
        return ['touches', touched.map((one) => `'${one}'`).join(' or ')]
      const mark = ['adversarial', 'enlarges'].find((one) => marks[one] !== undefined && marks[one] !== true)
      return mark === undefined ? undefined : [mark, 'true, or nothing at all']
    },
    hooks: {
      open: {
        gives: {
          words: `a lens, an object with the hooks ${Object.keys(lensHooks).join(', ')}`,
          fits: has(),
          types: {
            ...(Object.fromEntries(Object.keys(lensHooks).map((hook) => [hook, 'function?'])) as Fields),
            rules: 'strings?',
            lists: 'lists?',
            recovery: 'recovery?',
          },
        },
        hooks: lensHooks,
      },
    },
  },
  filter: {
    called: 'data filter',
    made: 'defineDataFilter({ name, summary, source, open })',
    code: 'bad-input',
    fields: { ...described, version: 'any?', rules: 'list?', environments: 'list?', open: 'function' },
    defaults: { ...words, version: '1', rules: [], environments: [] },
    problem: ({ rules, environments }) => {
      if (!listOf(rules, ['name', 'summary'])) return ['rules', 'a list of rules, each with name and summary']
      return listOf(environments, ['name']) ? undefined : ['environments', 'a list of environments, each with a name']
    },
    hooks: {
      open: {
        gives: aFunction('a function that reads a row'),
        call: {},
      },
    },
  },
  environment: {
    called: 'environment',
    made: 'defineEnvironment({ name, tasks, begin })',
    code: 'environment',
    fields: {
      ...described,
      options: 'object',
      interactiveDefaults: 'function?',
      plainText: 'object?',
      open: 'function',
    },
    hooks: {
      interactiveDefaults: {},
      open: {
        waits: true,
        gives: { words: 'an environment, as defineEnvironment() makes it', fits: has('begin', 'find') },
        hooks: {
          find: {},
          raw: {},
          normalise: aString,
          begin: {
            waits: true,
            gives: { words: 'a world, an object with opening and step', fits: has('step') },
            hooks: {
              step: { waits: true, outside: true },
              refuse: { waits: true },
              admissible: { waits: true },
              understands: { waits: true },
              solve: { waits: true },
              read: {},
            },
          },
        },
      },
    },
  },
  agent: {
    called: 'agent',
    made: 'defineAgent({ name, begin })',
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
    defaults: { ...words, settings: {}, stop: [], phrase: (action: string) => action },
    hooks: {
      begin: {
        gives: {
          words: 'a conversation, an object with the functions messages, read and observe',
          fits: has('messages', 'read', 'observe'),
        },
        hooks: {
          messages: {
            gives: {
              words: 'a list of messages, each such as { role, content }',
              fits: (value) => listOf(value, ['role', 'content']) && (value as readonly unknown[]).length > 0,
            },
          },
          read: {
            gives: {
              words: "what was read, an object such as { action: 'look' }",
              fits: has(),
              types: { action: 'string?', thought: 'string?', actionEnded: 'boolean?', formatError: 'string?' },
            },
          },
          phrase: aString,
          observe: {},
          tools: {},
          cut: {},
        },
      },
      phrase: aString,
      think: aString,
    },
  },
  model: {
    called: 'model',
    made: 'defineModel({ name, complete })',
    code: 'model',
    fields: { ...described, live: 'boolean?', create: 'function' },
    defaults: words,
    hooks: { create: { ...aModel, hooks: { ...aModel.hooks, withWorld: aModel } } },
  },
  report: {
    called: 'report',
    made: 'defineReport({ name, summary, source, render })',
    code: 'bad-input',
    fields: { ...described, render: 'function', isLeftover: 'function?' },
    defaults: words,
    hooks: {
      render: {
        gives: {
          words: 'a list of files, each { file, text }',
          fits: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
        },
        iterates: true,
      },
      isLeftover: {},
    },
  },
  law: {
    called: 'law',
    made: 'defineLaw({ name, summary, check })',
    code: 'bad-input',
    fields: { name: 'string', summary: 'string', kind: 'string?', applies: 'function', check: 'function' },
    hooks: {
      applies: {},
      check: {
        waits: true,
        gives: {
          words: 'what came of it, as defineLaw() makes it',
          fits: (value) => has()(value) && 'outcome' in (value as object),
        },
      },
    },
  },
}

function listOf(value: unknown, fields: readonly string[]): boolean {
  return (
    value === undefined ||
    (Array.isArray(value) &&
      value.every((one: unknown) => {
        const given = (one ?? {}) as Readonly<Record<string, unknown>>
        return fields.every((field) => typeof given[field] === 'string')
      }))
  )
}

const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
/** Characters of a summary or source. */
const maxSentence = 2000

/** Checks what all kinds share: a name that is safe in a command line, and texts of bounded length. */
export function commonProblem({
  name,
  version,
  ...rest
}: Readonly<Record<string, unknown>>): readonly [field: string, needs: string] | undefined {
  if (typeof name !== 'string' || !namePattern.test(name) || name.length > 60) {
    return ['name', 'a name of at most 60 small letters, digits and single dashes, such as my-perturbation']
  }
  if (version !== undefined && !['string', 'number'].includes(typeof version))
    return ['version', 'a version, such as 1']
  const long = ['summary', 'source'].find((field) => String(rest[field] ?? '').length > maxSentence)
  return long === undefined ? undefined : [long, `a sentence of at most ${maxSentence.toLocaleString('en')} characters`]
}
