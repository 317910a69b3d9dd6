import type { Fields } from '../define/check-fields.js'
import { checkFields, describeValue } from '../define/check-fields.js'
import { GivenUp, ShaketableError } from '../core/errors.js'
import { CallError } from '../models/call-error.js'
import type { ErrorCode } from '../core/errors.js'
import { outsideMessageOf, withoutSecrets } from '../environments/secrets.js'
import { followPromise } from './plugin-faults.js'

/** The contract of a plug-in's hook. */
export interface HookRule {
  /** The result that it must return; `types` are the types of its fields, where others may not be there. */
  readonly gives?: {
    readonly words: string
    readonly fits: (value: unknown) => boolean
    readonly types?: Fields
  }
  /** The hooks of the object that it returns. */
  readonly hooks?: Readonly<Record<string, HookRule>>
  /** The rule of the function that it returns. */
  readonly call?: HookRule
  /** It may return a promise. */
  readonly waits?: true
  /** It returns an iterable, whose code runs during the iteration. */
  readonly iterates?: true
  /** Its result has texts of a server or an engine. */
  readonly outside?: true
}

/** The definition that hooks belong to. */
interface Owner {
  /** Such as `perturbation`. */
  readonly called: string
  readonly name: string
  /** The path of a file or the name of a package, as the user wrote it. */
  readonly path: string
  /** Code of the errors that its hooks throw. */
  readonly code: ErrorCode
}

/**
 * Wraps a definition so that its hooks are checked: their errors name the file and the hook, and their results are
 * validated.
 */
export function guardHooks<T extends object>(
  owner: Owner,
  definition: T,
  hooks: Readonly<Record<string, HookRule>>,
): T {
  const guarded = new WeakMap<object, object>()
  const label = (hook: string): string => `The hook '${hook}' of the ${owner.called} '${owner.name}' (${owner.path})`
  const refuse = (message: string): never => {
    throw new ShaketableError(owner.code, message)
  }
  const run = <Result>(hook: string, work: () => Result): Result => {
    try {
      return work()
    } catch (thrown) {
      throw explain(hook, thrown)
    }
  }
  /** Whether a hook was given the text that JavaScript writes for an object, and so may hand it on. */
  let isGivenObjectText = false
  const call = (hook: string, rule: HookRule, given: readonly unknown[], work: () => unknown): unknown => {
    isGivenObjectText ||= hasObjectText(given)
    const result = run(hook, work)
    if (!isThenable(result)) return settle(hook, rule, result)
    if (rule.waits === true) {
      return followPromise(label(hook), result).then(
        (value) => settle(hook, rule, value),
        (thrown: unknown) => {
          throw explain(hook, thrown)
        },
      )
    }
    result.then(undefined, () => undefined)
    return refuse(
      `${label(hook)} gave a promise, but it must answer at once. Make it a plain function; what takes time belongs into the module, before its export.`,
    )
  }
  const settle = (hook: string, rule: HookRule, given: unknown): unknown => {
    const value = rule.outside === true && isPlain(given) ? withoutSecrets(given) : given
    const { gives, hooks, call: inner, iterates } = rule
    if (gives !== undefined && !gives.fits(value)) {
      refuse(`${label(hook)} must give ${gives.words}, got ${describeValue(value)}.`)
    }
    if (!isGivenObjectText && hasObjectText(value)) {
      refuse(
        `${label(hook)} must give text, got ${objectText} in it: an object was put into a text. Put in its fields, such as above and below of layBriefing(briefing).`,
      )
    }
    if (gives?.types !== undefined && value !== undefined) {
      checkFields(`What ${label(hook).replace('The', 'the')} gave`, value, gives.types, owner.code)
    }
    if (inner !== undefined && typeof value === 'function') {
      return (...given: unknown[]) => call(hook, inner, given, () => Reflect.apply(value, undefined, given) as unknown)
    }
    if (iterates === true) return goThrough(hook, value as Iterable<unknown>)
    return hooks === undefined || typeof value !== 'object' || value === null ? value : guardObject(value, hooks)
  }
  const goThrough = function* (hook: string, list: Iterable<unknown>): Generator<unknown> {
    const iterator = run(hook, () => list[Symbol.iterator]())
    for (;;) {
      const next = run(hook, () => iterator.next())
      if (next.done === true) return
      yield next.value
    }
  }
  /** An object with the same keys. Fields that are not hooks are read from the original object. */
  const guardObject = (value: object, rules: Readonly<Record<string, HookRule>>): object => {
    const known = guarded.get(value)
    if (known !== undefined) return known
    const made = {}
    for (const key of keysOf(value)) {
      const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
      const property = (value as Readonly<Record<string, unknown>>)[key]
      if (rule !== undefined && property !== undefined && typeof property !== 'function') {
        refuse(`${label(key)} must be a function, got ${describeValue(property)}.`)
      }
      if (typeof property !== 'function') {
        Object.defineProperty(made, key, {
          get: () => (value as Readonly<Record<string, unknown>>)[key],
          enumerable: true,
          configurable: true,
        })
      } else {
        const invoke = (...given: unknown[]): unknown => Reflect.apply(property, value, given) as unknown
        Object.defineProperty(made, key, {
          value: rule === undefined ? invoke : (...given: unknown[]) => call(key, rule, given, () => invoke(...given)),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
    }
    guarded.set(value, made)
    return made
  }
  const explain = (hook: string, thrown: unknown): unknown => {
    if (thrown instanceof GivenUp || thrown instanceof CallError || isAbort(thrown)) return thrown
    const message = outsideMessageOf(thrown).replace(/\.?$/, '.')
    if (thrown instanceof ShaketableError) {
      const { code, retryable } = thrown
      return new ShaketableError(code, `${label(hook)}: ${message}`, { cause: thrown, retryable })
    }
    const what = `threw: ${message} Correct it there; SHAKETABLE_DEBUG=1 prints where.`
    return new ShaketableError(owner.code, `${label(hook)} ${what}`, { cause: thrown })
  }
  return guardObject(definition, hooks) as T
}

/** What JavaScript writes for an object that is put into a text. */
const objectText = '[object Object]'

/** Whether {@link objectText} stands in a text, or in the lists and plain objects of a value. */
function hasObjectText(value: unknown, depth = 6): boolean {
  if (typeof value === 'string') return value.includes(objectText)
  if (depth === 0 || !(Array.isArray(value) || isPlain(value))) return false
  return Object.values(value as object).some((one) => hasObjectText(one, depth - 1))
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** The keys of an object, those of its class included. */
function keysOf(value: object): ReadonlySet<string> {
  const keys = new Set(Object.keys(value))
  let above = Object.getPrototypeOf(value) as object | null
  while (above !== null && above !== Object.prototype && above !== Array.prototype) {
    for (const key of Object.getOwnPropertyNames(above)) if (key !== 'constructor') keys.add(key)
    above = Object.getPrototypeOf(above) as object | null
  }
  return keys
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError'
}
