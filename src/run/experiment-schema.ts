import * as z from 'zod'
import { isServerAddress } from '../models/address.js'
import { isBoundedJson, refuseField, refuseHeader } from '../models/request-settings.js'
import { referencesIn } from '../files/variables.js'

/** The same schema with one text both as its description and as the message of all its problems that have none. */
function expected<T extends z.ZodType>(schema: T, words: string): T {
  explainBy(schema, words)
  return schema.describe(words)
}

function explainBy(schema: z.core.$ZodType, words: string): void {
  const { def } = schema._zod as { def: z.core.$ZodTypeDef & { options?: readonly z.core.$ZodType[] } }
  for (const each of [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)]) each.error ??= () => words
  for (const option of def.options ?? []) explainBy(option, words)
}

/** The largest step of a checkpoint. */
export const maxStep = 1e15

/** A whole number from `low` to `high`. */
const whole = (low: number, high: number, what = 'a whole number') =>
  expected(z.number().int().min(low).max(high), `${what} from ${String(low)} to ${high.toLocaleString('en')}`)
/** A text of 1 to 500 characters. */
const word = (what: string) => expected(z.string().min(1).max(500), what)
/** A list of at least one. */
const list = <T extends z.ZodType>(element: T, what: string, max = 1000, min = 1) =>
  expected(z.array(element).min(min).max(max), what)

/** A list of names, or of maps with a name and options. */
const listOf = <T extends z.ZodType>(name: string, map: T, what: string) =>
  list(z.union([word(name), map], { error: `${name}, or a map with a name and options` }), what)

/** Address of model servers. One with references to variables is checked when they are filled in. */
const baseUrl = expected(
  z.string().refine((text) => referencesIn(text).length > 0 || isServerAddress(text)),
  'the http(s) address of an OpenAI-compatible server, such as http://localhost:8000/v1, or a variable with it, such as $MY_SERVER',
)

const contextTokens = whole(64, 1_000_000_000, 'the number of tokens of prompt and reply together,')
const maxTokens = whole(1, 1_000_000, 'the maximum number of tokens of a reply,')

/** Refuses each entry for which `why` returns a reason. */
function refusing<Value>(why: (name: string, value: Value) => string | undefined) {
  return (entries: Readonly<Record<string, Value>>, context: z.RefinementCtx): void => {
    for (const [name, value] of Object.entries(entries)) {
      const message = why(name, value)
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message, input: value })
    }
  }
}

const sampling = expected(
  z.union([
    z.literal('server'),
    z
      .record(
        z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/),
        z.union([z.number(), z.boolean(), z.string().max(200)], { error: 'a number, true, false or a short text' }),
      )
      .refine((fields) => Object.keys(fields).length <= 64)
      .superRefine(refusing(refuseField)),
  ]),
  'up to 64 samplers, named as on the server, such as { top_p: 0.95, top_k: 20, repetition_penalty: 1 }, or server (its own defaults)',
)

const extraBody = expected(
  z.record(z.string(), z.unknown()).refine(isBoundedJson).superRefine(refusing(refuseField)),
  'fields of the request as plain JSON of at most 65,536 characters and 20 levels, such as { chat_template_kwargs: { enable_thinking: false } }',
)

const headers = expected(
  z
    .record(z.string(), z.string({ error: 'a text as the value of a header' }))
    .refine((given) => Object.keys(given).length <= 32)
    .superRefine(refusing((name, value: string) => refuseHeader(name, value, referencesIn(value).length > 0)))
    .refine(
      (given) => new Set(Object.keys(given).map((name) => name.toLowerCase())).size === Object.keys(given).length,
      { error: 'each header once, whatever its capital letters' },
    ),
  'up to 32 headers of every request, such as { X-Team: robustness }',
)

const reasoning = expected(
  z.union([z.enum(['strip', 'keep']), whole(1, 1_000_000)]),
  'strip (remove reasoning from the history, the default), keep (leave it there), or a number of tokens from 1 to 1,000,000 for reasoning, in addition to those of the answer',
)

/** The settings of a model, or of checkpoints. */
export const modelSchema = z
  .strictObject({
    name: word(
      'the name of a control model, the name of a model on its server, or the displayed name of a model with file, model or from; there {name}, {step} and {path} stand for those of each checkpoint',
    ),
    from: expected(
      z.union([word('a path or name'), list(word('a path or name'), 'a list of at least one path or name', 256)]),
      'checkpoints: a path whose last part may have *, such as checkpoints/checkpoint-*, or a list of paths and of names on a server',
    ),
    series: word('the name of the training curve of these checkpoints (default: their name without the number)'),
    checkpoint: z
      .strictObject({
        series: word('the name of a training curve'),
        step: expected(z.number().min(0).max(maxStep), 'a number from 0 on'),
      })
      .describe('the place of this model on a training curve, such as step 0 for the model that training began with'),
    file: word('the file of a model made by shaketable train'),
    model: word('the name of the model on its server, if it differs from the displayed name'),
    baseUrl,
    apiKeyEnv: expected(
      z.string().regex(/^[A-Z_][A-Z0-9_]{0,99}$/),
      "the name of the environment variable with the key of the model's server (capital letters, digits and underscores, such as MY_API_KEY), never the key",
    ),
    headers,
    sampling,
    extraBody,
    maxTokens,
    contextTokens,
    reasoning,
    api: expected(z.enum(['chat', 'completions']), 'chat (messages) or completions (one plain text)'),
    agent: word('the name of the agent of this model, in place of all agents of the experiment'),
    withoutInDomain: word('the name of another model of this experiment, trained without in-domain data'),
    heldIn: list(word('the name of an environment'), 'a list of environments that the model was trained on', 1000, 0),
    variantOf: word('the name of another model of this experiment that this one is an ablation variant of'),
  })
  .partial()
  .refine(
    ({ file, baseUrl: address, apiKeyEnv, model }) =>
      file === undefined || (address ?? apiKeyEnv ?? model) === undefined,
    { error: 'a model in a file, or one behind an address, not both' },
  )
  .refine(({ name, from }) => (name ?? from) !== undefined, {
    error: 'a model with a name, or checkpoints with from, such as from: checkpoints/checkpoint-*',
  })
  .refine(({ from, file, series, checkpoint }) => (from === undefined ? series : (file ?? checkpoint)) === undefined, {
    error: 'series with from alone, and from without file and checkpoint, which each of its models gets',
  })
  .meta({ id: 'model', description: 'a model with its options, or checkpoints' })

const maxSeed = 2 ** 31 - 1

/** The commands that `prepare` may contain. */
export const preparing = ['data collect', 'data synthesise', 'data filter-ind', 'data export-sft', 'train'] as const

const tasks = expected(
  z.union([whole(1, 1_000_000), list(word('the id of a task'), 'a list of task ids', 100_000)]),
  'a number of tasks, which are played from the first on, or a list of task ids',
)

const environment = z
  .looseObject({ name: word('the name of an environment'), tasks: tasks.optional() })
  .describe('an environment with its options, such as data, split, generation, order and prompt')

const draws = whole(1, 1000, 'how many draws of each perturbation that has several wordings are played,')

const perturbation = z
  .strictObject({ name: word('a perturbation, or several combined: a+b'), draws: draws.optional() })
  .describe('a perturbation with the number of its draws that are played')

const preparation = expected(
  z.string().refine((step) => preparing.some((name) => step.trim().startsWith(`${name} `)) && / --out \S/.test(step)),
  `a command that makes a file, ${preparing.join(', ')}, with --out, as in 'train data.jsonl --out model.json'`,
)

/** The settings of an experiment file. All are optional; see `defaults`. */
export const experimentSchema = z
  .strictObject(
    {
      $schema: word('the address of a JSON Schema, for editors'),
      name: expected(
        z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
        'a name of 1 to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit; the run goes to runs/<name>',
      ),
      prepare: list(preparation, 'a list of commands that make files of the experiment which do not exist yet'),
      environments: listOf('the name of an environment', environment, 'a list of environments'),
      tasks,
      perturbations: listOf('a perturbation, or several combined: a+b', perturbation, 'a list of perturbations'),
      suite: word('a set of conditions: core, full or agentrefine'),
      draws,
      models: z.union(
        [listOf('the name of a model', modelSchema, 'a list of models'), modelSchema.transform((one) => [one])],
        { error: 'a list of models, or a map with from' },
      ),
      baseUrl,
      agents: list(word('the name of an agent'), 'a list of agents'),
      temperatures: list(expected(z.number().min(0).max(2), 'a number from 0 to 2'), 'a list of temperatures'),
      seeds: expected(
        z.union([whole(1, 10_000, 'a number of seeds'), list(whole(0, maxSeed, 'a seed'), 'a list of seeds', 10_000)]),
        'a number of seeds from 1 to 10,000 (0 and up are played), or a list of seeds',
      ),
      seedsAtZero: whole(1, 10_000, 'the number of seeds at temperature 0 of models behind a server,'),
      stepLimit: whole(1, 10_000, 'the maximum number of steps of an episode,'),
      maxTokens,
      contextTokens,
      logprobs: expected(z.boolean(), 'true to keep log-probabilities of actions, or false'),
      concurrency: whole(1, 4096, 'the number of episodes that are played at once if models wait for a server,'),
      requestsPerMinute: whole(1, 10_000_000, 'the maximum number of requests per minute to one server,'),
      attempts: whole(1, 100, 'the number of attempts at a call that fails on the way,'),
      timeoutSeconds: whole(1, 86_400, 'the number of seconds after which an attempt at a call is abandoned,'),
      primary: z
        .strictObject({
          metric: z.enum(['success', 'progress'], { error: 'success or progress' }),
          perturbations: list(word('a perturbation as the experiment has it'), 'a list of perturbations'),
        })
        .partial()
        .describe(
          'the one figure that the experiment is about: the mean change of this metric (default: success) over these perturbations (default: all that change something)',
        ),
      plugins: list(word('the path of a plug-in file, or the name of an installed package'), 'a list of plug-ins'),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'settings by name, such as seeds: 5' : undefined) },
  )
  .partial()
  .describe(
    'An experiment of shaketable: the grid of environments, tasks, perturbations, models, agents, temperatures and seeds.',
  )

/** An experiment as written in a file or in flags. */
export type GivenExperiment = z.infer<typeof experimentSchema>

/** The JSON Schema of an experiment file, for editors. */
export function experimentJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(experimentSchema, { io: 'input' }), undefined, 2)}\n`
}
