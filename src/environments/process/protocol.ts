import * as z from 'zod'
import type { Text } from '../../core/text.js'
import { vocabularySchema } from '../../define/vocabulary.js'

/** The protocol's name and version, sent in both directions. */
export const protocolName = 'shaketable-env/1'

const id = z.number().int().min(0).describe('the number of the request; its answer has the same')
const session = z.string().min(1).max(200).describe('one episode, named by shaketable; several may be open at once')
const line = z.string().max(10_000)
const prose = z.string().max(1_000_000)

const piece = z.union([
  prose,
  z.strictObject({ command: line.describe('an action that the text quotes') }),
  z.strictObject({
    form: line.describe('an action form that the text quotes'),
    fill: z
      .record(z.string(), line)
      .exactOptional()
      .describe('what is printed for a slot instead of its name in braces'),
  }),
])
const text: z.ZodType<string | Text> = z
  .union([prose, z.array(piece).max(10_000)])
  .describe('what the agent reads: one string, or pieces where it quotes actions, so that perturbations reach them')
const names = z
  .array(z.string().min(1).max(200))
  .max(10_000)
  .describe('item names that an action of this episode may have in its slots, seen yet or not')

/** Requests of shaketable, one JSON object per line on standard input. */
export const requestSchema = z.discriminatedUnion('op', [
  z.strictObject({ id, op: z.literal('tasks'), protocol: z.literal(protocolName) }),
  z.strictObject({
    id,
    op: z.literal('begin'),
    session,
    task: line.describe('the id of a task'),
    seed: z
      .number()
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .describe('equal seeds begin equal episodes'),
  }),
  z.strictObject({ id, op: z.literal('step'), session, action: prose }),
  z.strictObject({ id, op: z.literal('admissible'), session }),
  z.strictObject({ id, op: z.literal('solve'), session }),
  z.strictObject({ id, op: z.literal('close'), session }),
])

/** A request, without its number. */
export type Request = z.infer<typeof requestSchema>

const operation = z.enum(['admissible', 'solve'])

/** The child's answers by operation, one JSON object per line on standard output. */
export const answerSchemas = {
  tasks: z.strictObject({
    id,
    protocol: z.literal(protocolName),
    name: z.string().min(1).max(100).describe('of the environment, for captions and keys'),
    version: z.string().min(1).max(100).describe('changes whenever the same actions would get different answers'),
    measure: line.optional().describe('what progress and success count, in words without a full stop'),
    vocabulary: vocabularySchema
      .optional()
      .describe('words for families of wording, by the templates of the action forms; see docs/environments.md'),
    can: z.array(operation).optional().describe('the optional operations that the environment answers'),
    tasks: z
      .array(
        z.strictObject({
          id: z.string().min(1).max(200),
          goal: line.optional().describe('where it is known before the episode begins'),
          kind: z.string().max(200).optional().describe('a family of tasks'),
          difficulty: z.enum(['easy', 'hard']).optional(),
        }),
      )
      .min(1)
      .max(1_000_000),
  }),
  begin: z.strictObject({
    id,
    session,
    goal: prose.optional().describe('default: the goal of the task'),
    observation: text,
    system: prose.optional(),
    instruction: prose
      .optional()
      .describe('rules for the agent; action forms in it are found, and those that it lacks are listed below it'),
    forms: z
      .array(z.strictObject({ template: line.min(1), meaning: line }))
      .max(1000)
      .optional()
      .describe('every kind of action that is understood, such as take {obj} from {place}'),
    names: names.optional(),
    help: z.array(line).max(100).optional().describe('actions that help when another is not understood'),
    refusal: text.optional().describe('what the environment answers to an action that it does not understand'),
  }),
  step: z.strictObject({
    id,
    session,
    observation: text,
    progress: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('share of the task that is done; default: 1 after a success, else as before'),
    ended: z
      .union([z.literal(false), z.enum(['success', 'failure'])])
      .optional()
      .describe('default: false'),
    understood: z.boolean().optional().describe('whether the action was understood; default: true'),
    refusal: text.optional().describe('replaces that of the episode from now on'),
  }),
  admissible: z.strictObject({ id, session, actions: z.array(line).max(100_000) }),
  solve: z.strictObject({
    id,
    session,
    actions: z.array(line).max(100_000).nullable().describe('from here to the goal; null where there is no way'),
  }),
  close: z.strictObject({ id, session }),
} as const satisfies Record<Request['op'], z.ZodType>

/** The child's answer to an operation. */
export type Answer<Op extends Request['op']> = z.infer<(typeof answerSchemas)[Op]>

/** The child's answer to a request that it cannot fulfil; the episode ends as an environment error. */
export const errorSchema = z.strictObject({ id, session: session.optional(), error: prose })
