import type { Fields } from '../core/check-fields.js'
import { checkFields } from '../core/check-fields.js'
import { CallError, GivenUp, ShaketableError } from '../core/errors.js'
import type { ErrorCode } from '../core/errors.js'
import { outsideMessageOf, withoutSecrets } from '../environments/secrets.js'
import { clockHook, clockPromise, hookLimits } from './hook-clock.js'

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
  /** The other fields that this object may have; absent if it may have any. */
  readonly fields?: readonly string[]
  /** The rule of the function that it returns. */
  readonly call?: HookRule
  /** It may return a promise. */
  readonly waits?: true
  /** It returns an iterable, whose code runs during the iteration. */
  readonly iterates?: true
  /** The arguments that it must not change. */
  readonly frozen?: (...given: never[]) => readonly unknown[]
  /** It makes text for the prompt. */
  readonly composes?: true
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
  /** Advice on where random numbers come from. */
  readonly random: string
  /** Whether its hooks may read the date. */
  readonly dated?: boolean
}

export type Warn = (message: string) => void

/**
 * Wraps a definition so that its hooks are checked: their errors name the file and the hook, their results are
 * validated, their arguments are frozen, and `warn` is called once for a hook that is slow or reads a source that no
 * seed determines.
 */
export function guardHooks<T extends object>(
  owner: Owner,
  definition: T,
  hooks: Readonly<Record<string, HookRule>>,
  warn: Warn,
): T {
  const warned = new Set<string>()
  const warnOnce = (message: string): void => {
    if (warned.has(message)) return
    warned.add(message)
    warn(message)
  }
  const clocks = new Map<string, ReturnType<typeof clockHook>>()
  const guarded = new WeakMap<object, object>()
  const label = (hook: string): string => `The hook '${hook}' of the ${owner.called} '${owner.name}' (${owner.path})`

  const call = (
    hook: string,
    rule: HookRule,
    given: readonly unknown[],
    run: () => unknown,
    heard: Heard = { objectText: false },
  ): unknown => {
    const plain = rule.frozen?.(...(given as never[])) ?? []
    for (const value of plain) freeze(value)
    heard.objectText ||= [...given.filter((one) => typeof one === 'string'), ...plain].some(hasObjectText)
    const result = runHook(hook, run)
    if (!isThenable(result)) return settle(hook, rule, result, heard)
    if (rule.waits === true) {
      return clockPromise(label(hook), result, warnOnce).then(
        (value) => settle(hook, rule, value, heard),
        (thrown: unknown) => {
          throw explain(hook, thrown)
        },
      )
    }
    result.then(undefined, () => undefined)
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
          warnOnce(`${label(hook)} asks for ${what}, so the same seed may give another result. Use ${owner.random}.`)
        }),
      )
    } catch (thrown) {
      throw explain(hook, thrown)
    } finally {
      const ms = performance.now() - begun
      if (ms > hookLimits.warnMs) {
        warnOnce(`${label(hook)} took ${(ms / 1000).toFixed(1)} seconds, and everything else waited for it.`)
      }
    }
  }
  const settle = (hook: string, rule: HookRule, given: unknown, heard: Heard): unknown => {
    const value = rule.outside === true && isPlain(given) ? withoutSecrets(given) : given
    const { gives, hooks, fields, call: inner, iterates } = rule
    if (gives !== undefined && !gives.fits(value)) {
      throw new ShaketableError(owner.code, `${label(hook)} must give ${gives.words}, got ${nameOf(value)}.`)
    }
    if (gives?.types !== undefined) {
      checkFields(`What ${label(hook).replace('The', 'the')} gave`, value, gives.types, owner.code)
    }
    if (rule.composes === true && !heard.objectText && hasObjectText(value)) {
      throw new ShaketableError(
        owner.code,
        `${label(hook)} must give text, got ${objectText} in it: an object was put into a text. Put in its fields, such as above and below of layBriefing(briefing).`,
      )
    }
    if (inner !== undefined && typeof value === 'function') {
      return (...given: unknown[]) => call(hook, inner, given, () => Reflect.apply(value, undefined, given) as unknown)
    }
    if (iterates === true) return goThrough(hook, value as Iterable<unknown>)
    return hooks === undefined || typeof value !== 'object' || value === null
      ? value
      : guardObject(hook, value, hooks, fields, { ...heard })
  }
  const goThrough = function* (hook: string, list: Iterable<unknown>): Generator<unknown> {
    const iterator = runHook(hook, () => list[Symbol.iterator]()) as Iterator<unknown>
    for (;;) {
      const next = runHook(hook, () => iterator.next()) as IteratorResult<unknown>
      if (next.done === true) return
      yield next.value
    }
  }
  /** An object with the same keys. Fields that are not hooks are read from the original object. */
  const guardObject = (
    hook: string,
    value: object,
    rules: Readonly<Record<string, HookRule>>,
    fields?: readonly string[],
    heard?: Heard,
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
          value: rule === undefined ? run : (...given: unknown[]) => call(key, rule, given, () => run(...given), heard),
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
    const changed = thrown instanceof TypeError && /read only property|not extensible|delete property/.test(message)
    const what = changed
      ? `changes what it was given: ${message} Copy it first, and change the copy.`
      : `threw: ${message} Correct it there; SHAKETABLE_DEBUG=1 prints where.`
    return new ShaketableError(owner.code, `${label(hook)} ${what}`, { cause: thrown })
  }
  return guardObject('', definition, hooks) as T
}

/** What JavaScript writes for an object that is put into a text. */
const objectText = '[object Object]'

/** Whether a hook, or one of the same object or the one that made it, was given {@link objectText} to hand on. */
interface Heard {
  objectText: boolean
}

function hasObjectText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(objectText)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasObjectText)
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

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `'${value.slice(0, 60)}'`
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const frozen = new WeakSet()

/** Freezes plain data deeply. Functions and instances of classes are left as they are. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return
  frozen.add(value)
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}

let report: ((what: string) => void) | undefined
let watchedDate: DateConstructor | undefined

/**
 * Calls a function and reports when it asks for randomness or for the date. The code of an async function after its
 * first `await` is not watched.
 */
function watch<T>(run: () => T, reportUse: (what: string) => void): T {
  const outer = report
  report = reportUse
  if (outer !== undefined) {
    try {
      return run()
    } finally {
      report = outer
    }
  }
  const { Date: date } = globalThis
  const numbers: { random: () => number } = Math
  const { random } = numbers
  numbers.random = () => {
    report?.('Math.random()')
    return random()
  }
  globalThis.Date = watchedDate ??= new Proxy(date, {
    apply(target, self, given) {
      report?.('the date')
      return Reflect.apply(target, self, given) as unknown
    },
    construct(target, given, made) {
      if (given.length === 0) report?.('the date')
      return Reflect.construct(target, given, made) as object
    },
    get(target, key) {
      if (key === 'now') report?.('the date')
      return Reflect.get(target, key) as unknown
    },
  })
  try {
    return run()
  } finally {
    report = undefined
    numbers.random = random
    globalThis.Date = date
  }
}
