import { pathToFileURL } from 'node:url'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'
import { ShaketableError } from '../core/errors.js'

/*
 * The main thread of the command line supervises the hooks of plug-ins, which run in other threads: a thread in an
 * endless loop cannot report it. Each thread writes the number of its current hook to memory shared with the main
 * thread.
 */

const channelName = 'shaketable-hooks'

/** After how long a running hook is reported, and after how long the command is stopped. */
interface HookLimits {
  readonly warnMs: number
  readonly stopMs: number
}

export const hookLimits: HookLimits = { warnMs: 2000, stopMs: 10_000 }
/** For the loading of a module, which may wait for something. */
export const loadLimits: HookLimits = { warnMs: 10_000, stopMs: 60_000 }

interface Announced {
  readonly thread: number
  /** The number of the thread's current hook, 0 for none; and how often a hook was entered or left. */
  readonly slot: Int32Array
  readonly hook: number
  /** Such as `The hook 'open' of the perturbation 'own' (./own.ts)`. */
  readonly label: string
  readonly limits: HookLimits
}

const slot = new Int32Array(new SharedArrayBuffer(8))
let announced = 0
let channel: BroadcastChannel | undefined

/** Makes a hook known to the supervising thread. @returns a function that runs the hook under supervision */
export function clockHook(label: string): <T>(run: () => T) => T {
  const hook = announce(label, hookLimits)
  return (run) => {
    const leave = enter(hook)
    try {
      return run()
    } finally {
      leave()
    }
  }
}

/** Loads a module under supervision, until its promise settles: code after an `await` may loop as well. */
export async function clockLoading<T>(label: string, load: () => Promise<T>): Promise<T> {
  const leave = enter(announce(label, loadLimits))
  try {
    return await load()
  } finally {
    leave()
  }
}

/** For a promise of a hook: it may wait for a server. */
const promiseLimits: HookLimits = { warnMs: 60_000, stopMs: 600_000 }

/** Labels of the hooks whose promises have not settled. */
const unsettled = new Map<symbol, string>()

/** Follows a promise of a hook. One that does not settle in time is rejected; `warn` is called before. */
export function clockPromise<T>(label: string, promise: PromiseLike<T>, warn: (sentence: string) => void): Promise<T> {
  const call = Symbol(label)
  unsettled.set(call, label)
  const { warnMs, stopMs } = promiseLimits
  return new Promise<T>((resolve, reject) => {
    // Without a reference: where nothing else is waited for, it is known at once that the promise never settles.
    const timers = [
      setTimeout(() => warn(`${label} has not settled its promise for ${seconds(warnMs)}.`), warnMs).unref(),
      setTimeout(
        () => end(() => reject(new Error(`its promise did not settle in ${seconds(stopMs)}`))),
        stopMs,
      ).unref(),
    ]
    const end = (settle: () => void): void => {
      for (const timer of timers) clearTimeout(timer)
      unsettled.delete(call)
      settle()
    }
    promise.then(
      (value) => end(() => resolve(value)),
      (thrown: unknown) => end(() => reject(thrown as Error)),
    )
  })
}

/** The error of a hook whose promise has not settled, where nothing is left that could settle it. */
export function unsettledHook(): ShaketableError | undefined {
  const label = [...unsettled.values()].at(-1)
  if (label === undefined) return undefined
  return new ShaketableError('bad-input', `${label} gave a promise that never settles. Resolve or reject it there.`)
}

/** What the user wrote for the plug-ins that this thread has loaded, by their files. */
const loaded = new Map<string, string>()

/** Remembers the file, or the folder, of a plug-in. */
export function noteLoaded(file: string, path: string): void {
  loaded.set(file, path)
}

/** The plug-ins that this thread has loaded, as the user wrote them. */
export function pluginsLoaded(): readonly string[] {
  return [...new Set(loaded.values())]
}

/** The plug-in in whose file a stack trace begins or goes through, as the user wrote it. */
export function pluginOf(stack = ''): string | undefined {
  return [...loaded].find(([file]) => stack.includes(file) || stack.includes(pathToFileURL(file).href))?.[1]
}

/** The error of an exit that was called in the listener's own stack, before the work was done. */
export function exitOf(code: number): Error {
  Error.stackTraceLimit = 200
  const plugin = pluginOf(new Error('exit').stack)
  const what = `called process.exit(${String(code)}) before the work was done`
  if (plugin === undefined) return new Error(`something ${what}`)
  return new ShaketableError('bad-input', `The plug-in ${plugin} ${what}. Throw an error there instead.`)
}

/** @returns the number of the hook in this thread */
function announce(label: string, limits: HookLimits): number {
  const hook = ++announced
  if (!isMainThread) {
    if (channel === undefined) {
      channel = new BroadcastChannel(channelName)
      channel.unref()
    }
    channel.postMessage({ thread: threadId, slot, hook, label, limits } satisfies Announced)
  }
  return hook
}

function enter(hook: number): () => void {
  const outer = slot[0]!
  const change = (current: number): void => {
    Atomics.store(slot, 0, current)
    Atomics.add(slot, 1, 1)
  }
  change(hook)
  return () => change(outer)
}

/**
 * Supervises the hooks of all other threads. `stop` is called with words for a hook that does not return, and with its
 * thread. Supervision then ends, unless it returns true because it has ended this thread alone.
 * @returns a function that ends the supervision
 */
export function superviseHooks(
  warn: (sentence: string) => void,
  stop: (what: string, thread: number) => boolean,
): () => void {
  const threads = new Map<number, { slot: Int32Array; hooks: Map<number, Announced>; calls: number; since: number }>()
  const warned = new Set<string>()
  const listener = new BroadcastChannel(channelName)
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const now = performance.now()
    for (const [id, thread] of threads) {
      const calls = Atomics.load(thread.slot, 1)
      const hook = thread.hooks.get(Atomics.load(thread.slot, 0))
      if (hook === undefined || calls !== thread.calls) Object.assign(thread, { calls, since: now })
      else if (now - thread.since > hook.limits.stopMs) {
        threads.delete(id)
        if (stop(`${hook.label} did not return within ${seconds(hook.limits.stopMs)}`, id)) continue
        end()
        return
      } else if (now - thread.since > hook.limits.warnMs && !warned.has(hook.label)) {
        warned.add(hook.label)
        warn(
          `${hook.label} has been running for ${seconds(hook.limits.warnMs)}, and everything else waits for it. After ${seconds(hook.limits.stopMs)} the command is stopped.`,
        )
      }
    }
  }
  const end = (): void => {
    clearInterval(timer)
    listener.close()
  }
  listener.onmessage = (event) => {
    const hook = (event as { readonly data: Announced }).data
    const known = threads.get(hook.thread) ?? { slot: hook.slot, hooks: new Map(), calls: -1, since: 0 }
    known.hooks.set(hook.hook, hook)
    threads.set(hook.thread, known)
    timer ??= setInterval(look, 200).unref()
  }
  listener.unref()
  return end
}

const seconds = (ms: number): string => `${String(ms / 1000)} seconds`
