import type * as z from 'zod'
import { nearMiss } from '../core/errors.js'
import { showAddress } from '../models/address.js'
import { type GivenExperiment, experimentSchema, modelSchema } from './experiment-schema.js'

/** A problem of a value, and its place in it. */
interface Problem {
  readonly path: readonly PropertyKey[]
  /** The key that should not be there, if that is the problem. */
  readonly unknownKey?: string
  /** A sentence without a full stop: the expected value, and the given one. */
  readonly message: string
}

type Parsed =
  | { readonly given: GivenExperiment; readonly problems?: never }
  | { readonly problems: readonly [Problem, ...Problem[]]; readonly given?: never }

/** The most problems that are explained, since each costs a search for the nearest name. */
const maxProblems = 20

/** Reads an experiment from plain values, or explains what is wrong with it. */
export function parseExperiment(value: unknown): Parsed {
  const { data, error } = experimentSchema.safeParse(value, { reportInput: true })
  if (error === undefined) return { given: data }
  const issues = error.issues.flatMap(innermost)
  const different = [...new Map(issues.map((issue) => [`${issue.path.join('.')} ${issue.message}`, issue])).values()]
  const [first, ...more] = different.slice(0, maxProblems).flatMap(explain)
  return { problems: [first!, ...more] }
}

function explain(issue: z.core.$ZodIssue): readonly Problem[] {
  const { path, message } = issue
  if (issue.code === 'unrecognized_keys') {
    const keys = knownKeys(path)
    const list = keys.length === 0 ? 'no such key' : `one of ${keys.join(', ')}`
    return issue.keys.slice(0, maxProblems).map((unknownKey) => {
      const near = nearMiss(unknownKey, keys)
      const hint = near === undefined ? '' : `; did you mean '${near}'?`
      return { path, unknownKey, message: `expected ${list}, got the key '${unknownKey.slice(0, 100)}'${hint}` }
    })
  }
  const expected = message.replace(/^(?:Invalid input|Too small|Too big): expected /, '').replace(/, received \w+$/, '')
  const shown = showValue(issue.input, path.includes('headers') ? 'headers' : path.at(-1))
  return [{ path, message: `expected ${expected}, got ${shown}` }]
}

/** The keys that an experiment or a model in it may have. */
function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return Object.keys(experimentSchema.shape).filter((key) => key !== '$schema')
  return path[0] === 'models' && path.length <= 2 ? Object.keys(modelSchema.shape) : []
}

/** Of a union, the branch that matches the value's outer shape, so that a mistyped key of an object is named so. */
function innermost(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const branch = issue.errors.find(
    (issues) => issues.length > 0 && !(issues[0]!.path.length === 0 && issues[0]!.code === 'invalid_type'),
  )
  if (branch === undefined) return [issue]
  return branch.flatMap((inner) => innermost({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** A value as a message shows it: short, on one line, and without API keys or passwords of addresses. */
function showValue(given: unknown, key: PropertyKey = ''): string {
  const value = withoutSecret(String(key), given)
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.length === 0) return 'an empty list'
  if (Array.isArray(value) && value.length > 20) return `a list of ${value.length.toLocaleString('en')}`
  const text = typeof value === 'string' ? `'${value}'` : jsonOf(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, withoutSecret)
  } catch {
    return 'a value that is nested too deeply or contains itself'
  }
}

function withoutSecret(key: string, value: unknown): unknown {
  if (key === 'headers') return '…'
  if (typeof value !== 'string') return value
  if (/key|secret|password/i.test(key)) return '…'
  return key === 'baseUrl' || /:\/\/|:[^:]*@/.test(value) ? showAddress(value) : value
}
