import { z } from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { hashOf } from '../../core/episode.js'
import { readText } from '../../files/read-text.js'

/** Texts that somebody gives for the predicates and actions of a domain, by name. */
export interface Templates {
  readonly predicates: ReadonlyMap<string, string>
  readonly actions: ReadonlyMap<string, string>
  /** The file, for messages. */
  readonly path: string
  readonly hash: string
}

const text = z.string().max(1000)
const table = z.record(z.string(), text)
const schema = z.union([z.strictObject({ predicates: table.optional(), actions: table.optional() }), table])

const advice =
  'Give a JSON object such as {"at": "{} is in {}.", "pick": "Pick up {} in {}."}, or one with such objects as "predicates" and "actions".'

/**
 * Reads texts for predicates and actions: either one table for both, as AgentBoard's is, or a table each. In a text `{}` is the next argument, `{0}`
 * the first; in those of actions `{ball}` is the parameter `?ball`.
 * @throws ShaketableError `bad-input` where the file is not such tables
 */
export function readTemplates(path: string): Templates {
  const content = readText('The template file', path, advice)
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch (cause) {
    throw new ShaketableError('bad-input', `The template file ${path} is not JSON. ${advice}`, { cause })
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) {
    throw new ShaketableError(
      'bad-input',
      `The template file ${path} has something else in it than texts by name. ${advice}`,
    )
  }
  const isSplit = Object.values(parsed.data).some((value) => typeof value === 'object')
  const tables = parsed.data as Record<'predicates' | 'actions', Record<string, string> | undefined>
  const whole = parsed.data as Record<string, string>
  return {
    predicates: toMap(isSplit ? tables.predicates : whole),
    actions: toMap(isSplit ? tables.actions : whole),
    path,
    hash: hashOf(content, 16),
  }
}

/** PDDL tells no cases apart. */
function toMap(entries: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(entries).map(([name, value]) => [name.toLowerCase(), value]))
}
