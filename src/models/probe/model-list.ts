import * as z from 'zod'
import { nearMiss } from '../../core/errors.js'
import type { Session } from './session.js'
import { sayFailed } from './session.js'

/** What a server says about its models. */
export interface ModelList {
  /** Undefined where there is no list. */
  readonly names: readonly string[] | undefined
  /** The entry of the model that is asked for; where there is but one model, that one's. */
  readonly entry: Readonly<Record<string, unknown>> | undefined
  /** Why there is no list. */
  readonly said: string
  /** Whether that may be different another time: the question was not answered. */
  readonly isUnknown?: true
}

const status = z.object({ status: z.object({ value: z.string().max(100) }) })

/** What a router (llama.cpp) says of a model in its list: `loaded`, `loading`, `unloaded`; undefined where it is none. */
export function statusOf(entry: ModelList['entry']): string | undefined {
  return status.safeParse(entry).data?.status.value
}

const list = z.object({ data: z.array(z.looseObject({ id: z.string() })).max(100_000) })

/** Reads a list of models; undefined where a body is none. */
export const readNames = (json: unknown): z.infer<typeof list> | undefined => list.safeParse(json).data

/** Asks for the list of models, which not every server has. @returns `dead` with the reason where nobody listens */
export async function readModelList(
  session: Session,
  model: string,
): Promise<{ readonly list: ModelList; readonly dead?: string }> {
  const answer = await session.ask('/models', readNames)
  if (answer.kind === 'answered') {
    const { data } = answer.value
    const entry = data.find(({ id }) => id === model) ?? (data.length === 1 ? data[0] : undefined)
    return { list: { names: data.map(({ id }) => (id === model ? id : session.target.redact(id))), entry, said: '' } }
  }
  const said = sayFailed(answer)
  const isDead = answer.kind === 'silent' && answer.why === 'nobody'
  return {
    list: { names: undefined, entry: undefined, said, ...(answer.kind !== 'refused' && { isUnknown: true }) },
    ...(isDead && { dead: said }),
  }
}

/** The model of a list that a name most likely means: `llama-8b` for `meta/Llama-8B-Instruct`. */
export function nearModel(model: string, names: readonly string[]): string | undefined {
  const wanted = model.toLowerCase()
  return (
    nearMiss(model, names) ??
    (wanted.length < 3 ? undefined : names.find((name) => name.toLowerCase().includes(wanted)))
  )
}
