import * as z from 'zod'
import { isServerAddress } from '../models/address.js'
import { templateNames } from '../models/chat-templates.js'
import { isBoundedJson, refuseField, refuseHeader } from '../models/request-settings.js'
import { referencesIn } from '../models/variables.js'

/** A description for people, which an error message then asks for in the same words. */
export function expected<T extends z.ZodType>(make: (error: string) => T, words: string): T {
  return make(words).describe(words)
}

/** A whole number from `low` to `high`. */
export const whole = (low: number, high: number, what = 'a whole number') =>
  expected(
    (error) => z.number({ error }).int({ error }).min(low, { error }).max(high, { error }),
    `${what} from ${String(low)} to ${high.toLocaleString('en')}`,
  )
/** A text of 1 to 500 characters. */
export const word = (what: string) =>
  expected((error) => z.string({ error }).min(1, { error }).max(500, { error }), what)
/** A list of at least one. */
export const list = <T extends z.ZodType>(element: T, what: string, max = 1000) =>
  expected((error) => z.array(element, { error }).min(1, { error }).max(max, { error }), what)

/** Where models are served; an address with references to variables is looked at when they are filled in. */
export const baseUrl = expected(
  (error) => z.string({ error }).refine((text) => referencesIn(text).length > 0 || isServerAddress(text), { error }),
  'the http(s) address of an OpenAI-compatible server, such as http://localhost:8000/v1, or a variable with it, such as $MY_SERVER',
)

export const contextTokens = whole(
  64,
  1_000_000_000,
  'the tokens of prompt and reply together that the model has room for,',
)
export const maxTokens = whole(1, 1_000_000, 'the most tokens of a reply,')

/** Refuses each entry about which `why` has something to say. */
function refusing<Value>(why: (name: string, value: Value) => string | undefined) {
  return (entries: Readonly<Record<string, Value>>, context: z.RefinementCtx): void => {
    for (const [name, value] of Object.entries(entries)) {
      const message = why(name, value)
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
    }
  }
}

const sampling = expected(
  (error) =>
    z.union(
      [
        z.literal('server', { error }),
        z
          .record(
            z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/),
            z.union([z.number(), z.boolean(), z.string().max(200)], { error: 'a number, true, false or a short text' }),
            { error },
          )
          .refine((fields) => Object.keys(fields).length <= 64, { error })
          .superRefine(refusing(refuseField)),
      ],
      { error },
    ),
  'up to 64 samplers as the server calls them, such as { top_p: 0.95, top_k: 20, repetition_penalty: 1 }, or server (whatever it does by itself)',
)

const extraBody = expected(
  (error) =>
    z.record(z.string(), z.unknown(), { error }).refine(isBoundedJson, { error }).superRefine(refusing(refuseField)),
  'fields of the request as plain JSON of at most 65,536 characters and 20 levels, such as { chat_template_kwargs: { enable_thinking: false } }',
)

const headers = expected(
  (error) =>
    z
      .record(z.string(), z.string({ error: 'a text as the value of a header' }), { error })
      .refine((given) => Object.keys(given).length <= 32, { error })
      .superRefine(refusing((name, value: string) => refuseHeader(name, value, referencesIn(value).length > 0)))
      .refine(
        (given) => new Set(Object.keys(given).map((name) => name.toLowerCase())).size === Object.keys(given).length,
        { error: 'each header once, whatever its capital letters' },
      ),
  'up to 32 headers of every request, such as { X-Team: robustness }',
)

const reasoning = expected(
  (error) => z.union([z.enum(['strip', 'keep'], { error }), whole(1, 1_000_000)], { error }),
  'strip (reasoning leaves the history, the default), keep (it stays there), or the tokens from 1 to 1,000,000 that a reply has for reasoning beside those of its answer',
)

/** What may be said of a model. */
export const modelSchema = z
  .strictObject({
    name: word(
      'the name of a control model, of a model as its server knows it, or what a model in a file or with model is to be called',
    ),
    file: word('the file of a model made by shaketable train').optional(),
    model: word('the name of the model on its server, where it is not the name that is shown').optional(),
    baseUrl: baseUrl.optional(),
    apiKeyEnv: expected(
      (error) => z.string({ error }).regex(/^[A-Z_][A-Z0-9_]{0,99}$/, { error }),
      "the name of the environment variable with the key of the model's server (capital letters, digits and underscores, such as MY_API_KEY), never the key",
    ).optional(),
    headers: headers.optional(),
    sampling: sampling.optional(),
    extraBody: extraBody.optional(),
    maxTokens: maxTokens.optional(),
    contextTokens: contextTokens.optional(),
    reasoning: reasoning.optional(),
    api: expected(
      (error) => z.enum(['chat', 'completions'], { error }),
      'chat (messages) or completions (one plain text), whatever is found out about the server',
    ).optional(),
    template: expected(
      (error) => z.enum(templateNames, { error }),
      `the chat template that is filled in for completions: ${templateNames.join(', ')}`,
    ).optional(),
    agent: word(
      'the name of the agent that the model is played with, in place of all agents of the experiment',
    ).optional(),
    withoutInDomain: word('the name of another model of this experiment, trained without in-domain data').optional(),
    heldIn: list(
      word('the name of an environment'),
      'a list of environments of which the model saw training data',
    ).optional(),
    variantOf: word('the name of another model of this experiment, of which it is a variant in an ablation').optional(),
  })
  .refine(
    ({ file, baseUrl: address, apiKeyEnv, model }) =>
      file === undefined || (address ?? apiKeyEnv ?? model) === undefined,
    { error: 'a model in a file, or one behind an address, not both' },
  )
  .refine(({ api, template }) => template === undefined || api !== 'chat', {
    error: 'a template with api: completions, since the server fills in its own for a chat',
  })
  .describe('a model with its options')

const maxSeed = 2 ** 31 - 1

/** The commands that may make the files that an experiment needs. */
export const preparing = ['collect', 'filter-ind', 'export-sft', 'train'] as const

const tasks = expected(
  (error) => z.union([whole(1, 1_000_000), list(word('the id of a task'), 'a list of task ids', 100_000)], { error }),
  'how many tasks (the first so many are played), or a list of task ids',
)

const environment = z
  .looseObject({ name: word('the name of an environment'), tasks: tasks.optional() })
  .describe('an environment with its options, such as data, split, generation, order and prompt')

const preparation = expected(
  (error) =>
    z
      .string({ error })
      .refine((step) => preparing.some((name) => step.trim().startsWith(`${name} `)) && / --out \S/.test(step), {
        error,
      }),
  `a command that makes a file, ${preparing.join(', ')}, with --out, as in 'train data.jsonl --out model.json'`,
)

/** What an experiment file may say. Everything is optional: what is left out is as in the embedded experiment. */
export const experimentSchema = z
  .strictObject(
    {
      $schema: word('the address of a JSON Schema, for editors').optional(),
      name: expected(
        (error) => z.string({ error }).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error }),
        'a name of 1 to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit; the run goes to runs/<name>',
      ).optional(),
      prepare: list(
        preparation,
        'a list of commands that make the files of the experiment, such as data and trained models, where they are not there yet',
      ).optional(),
      environments: list(
        z.union([word('the name of an environment'), environment], {
          error: 'the name of an environment, or a map with a name and options',
        }),
        'a list of environments',
      ).optional(),
      tasks: tasks.optional(),
      perturbations: list(
        word('a perturbation, or several that lie over each other: a+b'),
        'a list of perturbations',
      ).optional(),
      models: list(
        z.union([word('the name of a model'), modelSchema], {
          error: 'the name of a model, or a map with a name and options',
        }),
        'a list of models',
      ).optional(),
      baseUrl: baseUrl.optional(),
      agents: list(word('the name of an agent'), 'a list of agents').optional(),
      temperatures: list(
        expected((error) => z.number({ error }).min(0, { error }).max(2, { error }), 'a number from 0 to 2'),
        'a list of temperatures',
      ).optional(),
      seeds: expected(
        (error) =>
          z.union(
            [whole(1, 10_000, 'a number of seeds'), list(whole(0, maxSeed, 'a seed'), 'a list of seeds', 10_000)],
            { error },
          ),
        'a number of seeds from 1 to 10,000 (0 and up are played), or a list of seeds',
      ).optional(),
      seedsAtZero: whole(
        1,
        10_000,
        'how many seeds are played at temperature 0 with models behind a server, which give the same replies again,',
      ).optional(),
      pairing: expected(
        (error) => z.enum(['common', 'independent'], { error }),
        'common (an episode and its clean twin are sent the same seeds to their server) or independent (each its own)',
      ).optional(),
      stepLimit: whole(1, 10_000, 'the most steps of an episode,').optional(),
      maxTokens: maxTokens.optional(),
      contextTokens: contextTokens.optional(),
      logprobs: expected(
        (error) => z.boolean({ error }),
        'true where log-probabilities of actions are kept and those of both wordings compared, or false',
      ).optional(),
      concurrency: whole(1, 4096, 'how many episodes are played at once where models wait for a server,').optional(),
      requestsPerMinute: whole(1, 10_000_000, 'the most requests a minute to one server,').optional(),
      tokensPerMinute: whole(
        1,
        1_000_000_000,
        'the most tokens a minute, of prompts and replies, to one server,',
      ).optional(),
      attempts: whole(1, 100, 'how often a call is tried in all where it breaks off,').optional(),
      timeoutSeconds: whole(1, 86_400, 'after how many seconds an attempt at a call is given up,').optional(),
      primary: z
        .strictObject({
          metric: z.enum(['success', 'progress'], { error: 'success or progress' }).optional(),
          perturbations: list(
            word('a perturbation of this experiment, as it is written there'),
            'a list of perturbations',
          ).optional(),
        })
        .describe(
          'the one figure that the experiment is about: the mean change of this metric (default: success) over these perturbations (default: all that change something)',
        )
        .optional(),
      plugins: list(
        word('the path of a plug-in file, or the name of an installed package'),
        'a list of plug-ins',
      ).optional(),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'settings by name, such as seeds: 5' : undefined) },
  )
  .describe(
    'An experiment of shaketable: the grid of environments, tasks, perturbations, models, agents, temperatures and seeds.',
  )

/** An experiment as a file or flags give it. */
export type GivenExperiment = z.infer<typeof experimentSchema>

/** The JSON Schema of an experiment file, as editors use it. */
export function experimentJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(experimentSchema, { io: 'input' }), undefined, 2)}\n`
}
