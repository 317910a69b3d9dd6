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
