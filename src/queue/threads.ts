import type { SentEpisode } from '../run/store/record.js'
import type { Thread } from '../run/worker-pool.js'
import { startWorker } from '../run/worker-pool.js'
import type { QueuedRun } from './messages.js'

/** The threads in which a worker plays the jobs of a run. */
interface Threads {
  /** Models behind servers share one thread, and so the limits of their servers; others have one for each job. */
  play(cell: number): Promise<SentEpisode>
  close(): Promise<void>
}

/**
 * Starts with one thread.
 * @throws ShaketableError if this machine cannot play the run, with what differs
 */
export async function startThreads(
  { live, experiment, plan, servers, played }: QueuedRun,
  say: (text: string) => void,
): Promise<Threads> {
  const threads = new Set<Thread>()
  const start = (): Thread => {
    const thread = startWorker({ experiment, plan, remote: { servers }, ...(played && { played }) }, say)
    threads.add(thread)
    return thread
  }
  const drop = async (thread: Thread): Promise<void> => {
    threads.delete(thread)
    await thread.close()
  }
  const first = start()
  try {
    // Without cells it answers once its grid is ready.
    await first.play([])
  } catch (thrown) {
    await drop(first)
    throw thrown
  }
  /** Threads without a job. */
  const idle = live ? [] : [first]
  let shared: Thread | undefined = live ? first : undefined
  return {
    async play(cell) {
      const thread = live ? (shared ??= start()) : (idle.pop() ?? start())
      try {
        const [episode] = await thread.play([cell])
        if (episode === undefined) throw new Error('its worker gave the episode up')
        if (!live) idle.push(thread)
        return episode
      } catch (thrown) {
        // Other jobs of a shared one may end well; jobs from now on have another thread.
        if (shared === thread) shared = undefined
        if (thread.waiting() === 0) await drop(thread)
        throw thrown
      }
    },
    async close() {
      await Promise.all([...threads].map((thread) => thread.close()))
    },
  }
}
