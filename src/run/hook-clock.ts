import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

/*
 * The command line's main thread watches the hooks of plug-ins, which run in other threads: a thread that is in a loop
 * cannot say so itself. Each thread notes the hook that it is in where the main thread can read it.
 */

const channelName = 'shaketable-hooks'

/** When a hook that has not returned is named, and when the command is stopped. */
interface HookLimits {
  readonly toldMs: number
  readonly stoppedMs: number
}

export const hookLimits: HookLimits = { toldMs: 2000, stoppedMs: 10_000 }

interface Announced {
  readonly thread: number
  /** The number of the hook that the thread is in, 0 for none; and how many were entered. */
  readonly slot: Int32Array
  readonly hook: number
  /** Such as `The hook 'open' of the perturbation 'own' (./own.ts)`. */
  readonly label: string
  readonly limits: HookLimits
}

const slot = new Int32Array(new SharedArrayBuffer(8))
let announced = 0
let channel: BroadcastChannel | undefined

/** Makes a hook known to the thread that watches. @returns what runs it, with a note of when */
export function clockHook(label: string, limits = hookLimits): <T>(run: () => T) => T {
  const hook = ++announced
  if (!isMainThread) {
    if (channel === undefined) {
      channel = new BroadcastChannel(channelName)
      channel.unref()
    }
    channel.postMessage({ thread: threadId, slot, hook, label, limits } satisfies Announced)
  }
  return (run) => {
    const outer = slot[0]!
    Atomics.store(slot, 0, hook)
    Atomics.add(slot, 1, 1)
    try {
      return run()
    } finally {
      Atomics.store(slot, 0, outer)
      Atomics.add(slot, 1, 1)
    }
  }
}

/** Watches the hooks of all other threads; `stop` is called once, for a hook that does not return. */
export function superviseHooks(tell: (sentence: string) => void, stop: (sentence: string) => void): () => void {
  const threads = new Map<number, { slot: Int32Array; hooks: Map<number, Announced>; calls: number; since: number }>()
  const told = new Set<string>()
  const listener = new BroadcastChannel(channelName)
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const now = performance.now()
    for (const thread of threads.values()) {
      const calls = Atomics.load(thread.slot, 1)
      const hook = thread.hooks.get(Atomics.load(thread.slot, 0))
      if (hook === undefined || calls !== thread.calls) Object.assign(thread, { calls, since: now })
      else if (now - thread.since > hook.limits.stoppedMs) {
        end()
        stop(
          `${hook.label} did not return within ${seconds(hook.limits.stoppedMs)}, so the command was stopped. What is written is kept. Look there for a loop that does not end.`,
        )
        return
      } else if (now - thread.since > hook.limits.toldMs && !told.has(hook.label)) {
        told.add(hook.label)
        tell(
          `${hook.label} has been running for ${seconds(hook.limits.toldMs)}, and everything else waits for it. After ${seconds(hook.limits.stoppedMs)} the command is stopped.`,
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
