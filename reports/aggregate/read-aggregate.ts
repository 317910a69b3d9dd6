import * as z from 'zod'
import { messageOf, ShaketableError } from 'shaketable'
import type { Aggregate } from './aggregate.js'
import { aggregateSchema } from './schema.js'

/**
 * Reads the text of a report.json. `source` names it in messages.
 * @throws ShaketableError `bad-input` where it is none, is damaged, or is of a schema that this version does not know.
 */
export function readAggregate(text: string, source: string): Aggregate {
  const value = parse(text, source)
  const said = z.object({ schema: z.unknown(), version: z.string().max(100).exactOptional() }).safeParse(value).data
  if (said?.schema !== 2) {
    const got = JSON.stringify(said?.schema ?? null).slice(0, 100)
    const writer = said?.version === undefined ? '' : `, written by shaketable ${said.version}`
    throw new ShaketableError(
      'bad-input',
      `${source}: expected a report of schema 2, got schema ${got}${writer}. Make it again from its run: \`shaketable report RUN\`.`,
    )
  }
  const read = aggregateSchema.safeParse(value)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  throw new ShaketableError(
    'bad-input',
    `${source}: ${path.length === 0 ? '' : `${path.map(String).join('.')}: `}${message}. Make it again from its run: \`shaketable report RUN\`.`,
  )
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `${source}: expected the JSON of a report.json, got something unreadable (${messageOf(thrown)}). Make it again from its run: \`shaketable report RUN\`.`,
      { cause: thrown },
    )
  }
}
