import { CallError, GivenUp, ShaketableError, messageOf } from '../core/errors.js'
import type { ErrorCode } from '../core/errors.js'
import { clockHook, hookLimits } from './hook-clock.js'

/** What a hook of a plug-in has to keep to. */
export interface HookRule {
  /** What it must give. */
  readonly gives?: { readonly words: string; readonly fits: (value: unknown) => boolean }
  /** The hooks of the object that it gives. */
  readonly hooks?: Readonly<Record<string, HookRule>>
  /** What else this object may have; absent where it may have anything. */
  readonly fields?: readonly string[]
  /** The hook is a function that it gives, with a rule of its own. */
  readonly call?: HookRule
  /** It may answer with a promise. */
  readonly waits?: true
  /** It gives something to go through, and works while that is done. */
  readonly iterates?: true
  /** What of its arguments is not to be changed. */
  readonly frozen?: (...given: never[]) => readonly unknown[]
}

/** Whose hooks they are. */
interface Owner {
  /** Such as `perturbation`. */
  readonly called: string
  readonly name: string
  /** As it was given: the path of a file, or the name of a package. */
  readonly path: string
  /** Of what its hooks throw. */
  readonly code: ErrorCode
  /** Where random numbers come from instead. */
  readonly random: string
  /** Whether its hooks may ask for the date. */
  readonly dated?: boolean
}

export type Warn = (message: string) => void

/**
 * The same definition, its hooks called with care: what they throw names the file and the hook, what they give is
 * checked, what they were given cannot be changed, and `warn` hears of a hook that is slow or asks for what no seed
 * decides.
 */
export function guardHooks<T extends object>(
  owner: Owner,
  definition: T,
  hooks: Readonly<Record<string, HookRule>>,
  warn: Warn,
): T {
  const told = new Set<string>()
  const tellOnce = (message: string): void => {
    if (told.has(message)) return
    told.add(message)
    warn(message)
  }
  const clocks = new Map<string, ReturnType<typeof clockHook>>()
  const guarded = new WeakMap<object, object>()
  const label = (hook: string): string => `The hook '${hook}' of ${describeOwner(owner)}`

  const call = (hook: string, rule: HookRule, given: readonly unknown[], run: () => unknown): unknown => {
    for (const value of rule.frozen?.(...(given as never[])) ?? []) freeze(value)
    const answer = runHook(hook, run)
    if (!isThenable(answer)) return settle(hook, rule, answer)
    if (rule.waits === true) {
      return answer.then(
        (value) => settle(hook, rule, value),
        (thrown: unknown) => {
          throw explain(hook, thrown)
        },
      )
    }
    answer.then(undefined, () => undefined)
    throw new ShaketableError(
      owner.code,
      `${label(hook)} gave a promise, but it must answer at once. Make it a plain function; what takes time belongs into the module, before its export.`,
    )
  }
  const runHook = (hook: string, run: () => unknown): unknown => {
    let clock = clocks.get(hook)
    if (clock === undefined) clocks.set(hook, (clock = clockHook(label(hook))))
    const begun = performance.now()
    try {
      return clock(() =>
        watch(run, (what) => {
          if (what === 'the date' && owner.dated === true) return
          tellOnce(`${label(hook)} asks for ${what}, so the same seed may give another result. Use ${owner.random}.`)
        }),
      )
    } catch (thrown) {
      throw explain(hook, thrown)
    } finally {
      const ms = performance.now() - begun
      if (ms > hookLimits.toldMs) {
        tellOnce(`${label(hook)} took ${(ms / 1000).toFixed(1)} seconds, and everything else waited for it.`)
      }
    }
  }
  const settle = (hook: string, { gives, hooks, fields, call: inner, iterates }: HookRule, value: unknown): unknown => {
    if (gives !== undefined && !gives.fits(value)) {
      throw new ShaketableError(owner.code, `${label(hook)} must give ${gives.words}, got ${nameOf(value)}.`)
    }
    if (inner !== undefined && typeof value === 'function') {
      return (...given: unknown[]) => call(hook, inner, given, () => Reflect.apply(value, undefined, given) as unknown)
    }
    if (iterates === true) return goThrough(hook, value as Iterable<unknown>)
    return hooks === undefined || typeof value !== 'object' || value === null
      ? value
      : guardObject(hook, value, hooks, fields)
  }
  const goThrough = function* (hook: string, list: Iterable<unknown>): Generator<unknown> {
    const iterator = runHook(hook, () => list[Symbol.iterator]()) as Iterator<unknown>
    for (;;) {
      const next = runHook(hook, () => iterator.next()) as IteratorResult<unknown>
      if (next.done === true) return
      yield next.value
    }
  }
  /** An object of the same look; what is no hook is read from the object itself. */
  const guardObject = (
    hook: string,
    value: object,
    rules: Readonly<Record<string, HookRule>>,
    fields?: readonly string[],
  ): object => {
    const known = guarded.get(value)
    if (known !== undefined) return known
    const made = {}
    for (const key of keysOf(value)) {
      const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
      if (rule === undefined && fields?.includes(key) === false) {
        const all = [...Object.keys(rules), ...fields]
        throw new ShaketableError(
          owner.code,
          `What ${label(hook).replace('The', 'the')} gave has '${key}', which is not known there. There are ${all.join(', ')}.`,
        )
      }
      const property = (value as Readonly<Record<string, unknown>>)[key]
      if (rule !== undefined && property !== undefined && typeof property !== 'function') {
        throw new ShaketableError(owner.code, `${label(key)} must be a function, got ${nameOf(property)}.`)
      }
      if (typeof property !== 'function') {
        Object.defineProperty(made, key, {
          get: () => (value as Readonly<Record<string, unknown>>)[key],
          enumerable: true,
          configurable: true,
        })
      } else {
        const run = (...given: unknown[]): unknown => Reflect.apply(property, value, given) as unknown
        Object.defineProperty(made, key, {
          value: rule === undefined ? run : (...given: unknown[]) => call(key, rule, given, () => run(...given)),
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
    const message = messageOf(thrown).replace(/\.?$/, '.')
    if (thrown instanceof ShaketableError) {
      const { code, retryable } = thrown
      return new ShaketableError(code, `${label(hook)}: ${message}`, { cause: thrown, retryable })
    }
    const changed = thrown instanceof TypeError && /read only property|not extensible|delete property/.test(message)
    const what = changed
      ? `changes what it was given: ${message} Copy it first, and change the copy.`
      : `threw: ${message} Correct it there; SHAKETABLE_DEBUG=1 prints where.`
    return new ShaketableError(owner.code, `${label(hook)} ${what}`, { cause: thrown })
  }
  return guardObject('', definition, hooks) as T
}

/** Whose it is, in words. */
function describeOwner({ called, name, path }: Pick<Owner, 'called' | 'name' | 'path'>): string {
  return `the ${called} '${name}' (${path})`
}

/** The names of what an object has, of its own or by its class. */
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

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `'${value.slice(0, 60)}'`
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const frozen = new WeakSet()

/** Freezes plain data through and through. What has functions or is of a class is left as it is. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return
  frozen.add(value)
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}

let hears: ((what: string) => void) | undefined
let watchedDate: DateConstructor | undefined

/** Calls a function that answers at once, and tells when it asks for randomness or for the date. */
function watch<T>(run: () => T, tell: (what: string) => void): T {
  const outer = hears
  hears = tell
  if (outer !== undefined) {
    try {
      return run()
    } finally {
      hears = outer
    }
  }
  const { Date: date } = globalThis
  const numbers: { random: () => number } = Math
  const { random } = numbers
  numbers.random = () => {
    hears?.('Math.random()')
    return random()
  }
  globalThis.Date = watchedDate ??= new Proxy(date, {
    apply(target, self, given) {
      hears?.('the date')
      return Reflect.apply(target, self, given) as unknown
    },
    construct(target, given, made) {
      if (given.length === 0) hears?.('the date')
      return Reflect.construct(target, given, made) as object
    },
    get(target, key) {
      if (key === 'now') hears?.('the date')
      return Reflect.get(target, key) as unknown
    },
  })
  try {
    return run()
  } finally {
    hears = undefined
    numbers.random = random
    globalThis.Date = date
  }
}
