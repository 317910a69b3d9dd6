import * as z from 'zod'
import { askProps } from '../props.js'
import type { Found, Probed, Quirk } from '../quirk.js'
import { bound } from '../said.js'
import { besideApi, sayFailed } from '../session.js'

const count = z.number().int().min(1).max(100_000)
const list = z.array(z.object({ id: z.number() })).transform(({ length }) => length)

/** How many calls a llama.cpp server works on at once: in `/props`, or else in `/slots`, which lists them. */
export const slots: Quirk = {
  name: 'slots',
  async find({ list: { entry }, session, model }: Probed) {
    if (entry?.['owned_by'] !== 'llamacpp') return undefined
    const { props, said } = await askProps(session, model, entry)
    const total = count.safeParse(props?.['total_slots']).data
    if (total !== undefined) return found(total, said)
    const answer = await session.ask(`${besideApi}slots`, (json) => list.pipe(count).safeParse(json).data)
    if (answer.kind === 'answered') return found(answer.value, '/slots')
    const why = props === undefined ? said : `${said}: no total_slots`
    return { value: 'not told', evidence: `${why}; /slots: ${bound(sayFailed(answer), 100)}` }
  },
  means: (value) =>
    typeof value === 'number'
      ? 'A run begins with so many calls at once, --concurrency at most.'
      : 'A run begins with as many calls at once as --concurrency says.',
}

function found(value: number, place: string): Found {
  return { value, evidence: `${place} of the server`, traits: { slots: value } }
}
