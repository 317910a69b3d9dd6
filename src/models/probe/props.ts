import * as z from 'zod'
import type { ModelList } from './model-list.js'
import { statusOf } from './model-list.js'
import { bound } from './said.js'
import type { Session } from './session.js'
import { besideApi, sayFailed } from './session.js'

/** What a llama.cpp server says of itself, and where, or why it does not. */
export interface Props {
  readonly props?: Readonly<Record<string, unknown>>
  /** Such as `/props`, or each place with what it answered. */
  readonly said: string
  /** Whether that may be different another time: a place did not answer. */
  readonly isUnknown?: true
}

const schema = z
  .record(z.string(), z.unknown())
  .refine((props) => ['default_generation_settings', 'total_slots', 'chat_template'].some((name) => name in props))
const asked = new WeakMap<Session, Promise<Props>>()

/**
 * Asks for llama.cpp's `/props`, once in a session: beside `/v1`, where the server has it, and below it, where some gateways do.
 * @param entry the model's entry in the list of models; a router tells the status of each there, and wants to know of which it is asked
 */
export function askProps(session: Session, model: string, entry: ModelList['entry']): Promise<Props> {
  let props = asked.get(session)
  if (props === undefined) asked.set(session, (props = ask(session, statusOf(entry) === undefined ? undefined : model)))
  return props
}

async function ask(session: Session, model: string | undefined): Promise<Props> {
  const query = model === undefined ? '' : `?model=${encodeURIComponent(model)}`
  const failures: string[] = []
  let isUnknown = false
  for (const [place, path] of [
    ['/props', `${besideApi}props`],
    ['/v1/props', '/props'],
  ] as const) {
    const answer = await session.ask(`${path}${query}`, (json) => schema.safeParse(json).data, undefined, { tries: 3 })
    if (answer.kind === 'answered') return { props: answer.value, said: place }
    isUnknown ||= answer.kind !== 'refused'
    failures.push(`${place}: ${bound(sayFailed(answer), 100)}`)
  }
  return { said: failures.join('; '), ...(isUnknown && { isUnknown }) }
}
