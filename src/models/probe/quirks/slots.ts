import * as z from 'zod'
import type { Probed, Quirk } from '../quirk.js'
import { bound } from '../said.js'
import { sayFailed } from '../session.js'

const count = z.number().int().min(1).max(100_000)
/** Where llama.cpp tells how many calls it works on at once: beside `/v1`, not below it. */
const places = [
  ['/props', z.object({ total_slots: count }).transform((props) => props.total_slots)],
  ['/slots', z.array(z.object({ id: z.number() })).transform(({ length }) => length)],
] as const

/** How many calls a llama.cpp server works on at once. */
export const slots: Quirk = {
  name: 'slots',
  async find({ list: { entry }, session }: Probed) {
    if (entry?.['owned_by'] !== 'llamacpp') return undefined
    const failures: string[] = []
    for (const [place, schema] of places) {
      const answer = await session.ask(`/..${place}`, (json) => schema.pipe(count).safeParse(json).data)
      if (answer.kind === 'answered') {
        return { value: answer.value, evidence: `${place} of the server`, traits: { slots: answer.value } }
      }
      failures.push(`${place}: ${bound(sayFailed(answer), 100)}`)
    }
    return { value: 'not told', evidence: failures.join('; ') }
  },
  means: (value) =>
    typeof value === 'number'
      ? 'A run begins with so many calls at once, --concurrency at most.'
      : 'A run begins with as many calls at once as --concurrency says.',
}
