import * as z from 'zod'
import { baseUrl, contextTokens, expected, list, maxTokens, modelSchema, whole, word } from './model-schema.js'

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
