import { type Fields, checkFields } from '../define/check-fields.js'
import { type ErrorCode, GivenUp, ShaketableError } from '../core/errors.js'
import { CallError } from '../models/call-error.js'
import { outsideMessageOf, withoutSecrets } from '../environments/secrets.js'

interface HookRule {
  /** The type of its result, or the types of the fields of the object that it returns. Absent: anything. */
  readonly gives?: Fields[string] | Fields
  readonly mayBeNothing?: true
  readonly hooks?: HookRules
  readonly waits?: true
  /** Its result has texts of a server or an engine. */
  readonly outside?: true
}

export type HookRules = Readonly<Record<string, HookRule>>

interface Owner {
  /** Such as `perturbation`. */
  readonly called: string
  readonly name: string
  /** The path of a file or the name of a package, as the user wrote it. */
  readonly path: string
  readonly code: ErrorCode
}

/**
 * The same object with its hooks checked: their errors name the file and the hook, and their results have the declared
 * types. Fields that are not functions are read from the original object.
 */
export function guardHooks<T extends object>(owner: Owner, original: T, rules: HookRules): T {
  const made = {}
  const given = original as Readonly<Record<string, unknown>>
  for (const key of keysOf(original)) {
    const [property, rule] = [given[key], Object.hasOwn(rules, key) ? rules[key] : undefined]
    const invoke = (...args: unknown[]): unknown => Reflect.apply(property as () => unknown, original, args) as unknown
    const checked = rule === undefined ? invoke : (...args: unknown[]) => call(owner, key, rule, () => invoke(...args))
    const field = typeof property === 'function' ? { value: checked, writable: true } : { get: () => given[key] }
    Object.defineProperty(made, key, { ...field, enumerable: true, configurable: true })
  }
  return made as T
}

function call(owner: Owner, hook: string, rule: HookRule, work: () => unknown): unknown {
  const label = `The hook '${hook}' of the ${owner.called} '${owner.name}' (${owner.path})`
  const refuse = (thrown: unknown): never => {
    throw explain(owner, label, thrown)
  }
  const settle = (result: unknown): unknown => {
    const { gives, mayBeNothing, hooks, outside } = rule
    const isPlain = typeof result === 'object' && result !== null && Object.getPrototypeOf(result) === Object.prototype
    const value = outside === true && isPlain ? withoutSecrets(result) : result
    if (value === undefined && mayBeNothing === true) return value
    const place = `What ${label.replace('The', 'the')} gave`
    if (typeof gives === 'string') checkFields(place, { result: value }, { result: gives }, owner.code)
    else if (gives !== undefined) checkFields(place, value, gives, owner.code)
    return hooks === undefined ? value : guardHooks(owner, value as object, hooks)
  }
  let result: unknown
  try {
    result = work()
  } catch (thrown) {
    return refuse(thrown)
  }
  if (!(result instanceof Promise)) return settle(result)
  if (rule.waits === true) return result.then(settle, refuse)
  result.catch(() => undefined)
  throw new ShaketableError(owner.code, `${label} gave a promise, but it must answer at once.`)
}

function explain({ code }: Owner, label: string, thrown: unknown): unknown {
  const isAbort = thrown instanceof Error && thrown.name === 'AbortError'
  if (thrown instanceof GivenUp || thrown instanceof CallError || isAbort) return thrown
  const message = outsideMessageOf(thrown).replace(/\.?$/, '.')
  if (thrown instanceof ShaketableError)
    return new ShaketableError(thrown.code, `${label}: ${message}`, { cause: thrown, retryable: thrown.retryable })
  const what = `threw: ${message} Correct it there; SHAKETABLE_DEBUG=1 prints where.`
  return new ShaketableError(code, `${label} ${what}`, { cause: thrown })
}

/** The keys of an object, those of its class included. */
function keysOf(value: object): ReadonlySet<string> {
  const keys = new Set(Object.keys(value))
  for (let above: unknown = Object.getPrototypeOf(value); above instanceof Object; above = Object.getPrototypeOf(above))
    for (const key of Object.getOwnPropertyNames(above)) if (key !== 'constructor') keys.add(key)
  return keys
}
