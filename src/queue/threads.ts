import type { SentEpisode } from '../run/store/record.js'
import type { Calls, LoadedWorker } from '../run/worker-pool.js'
import { loadWorker } from '../run/worker-pool.js'
import type { QueuedRun } from './messages.js'

/** The threads in which a worker plays the jobs of a run. */
export interface Threads {
  /** Models behind servers share one thread, and so the limits of their servers; others have one for each job. */
  play(cells: readonly number[]): Promise<readonly SentEpisode[]>
  /** Plays in a thread that no other job has. */
  playAlone(cells: readonly number[]): Promise<readonly SentEpisode[]>
  close(): Promise<void>
}

type Thread = ReturnType<LoadedWorker['begin']>

/**
 * Starts with one thread, which may have loaded its modules already.
 * @throws ShaketableError if this machine cannot play the run, with what differs
 */
export async function startThreads(
  { live, experiment, plan, servers, played }: QueuedRun,
  say: (text: string) => void,
  calls: Calls,
  loaded = loadWorker(),
): Promise<Threads> {
  const threads = new Set<Thread>()
  const start = (fresh = loadWorker()): Thread => {
    const thread = fresh.begin({ experiment, plan, remote: { servers }, ...(played && { played }) }, say, calls)
    threads.add(thread)
    return thread
  }
  const drop = async (thread: Thread): Promise<void> => {
    threads.delete(thread)
    await thread.close()
  }
  const first = start(loaded)
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

  const playShared = async (cells: readonly number[]): Promise<readonly SentEpisode[]> => {
    const thread = (shared ??= start())
    try {
      return await thread.play(cells)
    } catch (thrown) {
      // Its other jobs may end well; jobs from now on have another thread.
      if (shared === thread) shared = undefined
      throw thrown
    } finally {
      if (shared !== thread && thread.waiting() === 0) await drop(thread)
    }
  }
  const playAlone = async (cells: readonly number[], thread = start(), keeps = false) => {
    let isKept = false
    try {
      const episodes = await thread.play(cells)
      isKept = keeps
      return episodes
    } finally {
      if (isKept) idle.push(thread)
      else await drop(thread)
    }
  }
  return {
    play: (cells) => (live ? playShared(cells) : playAlone(cells, idle.pop(), true)),
    playAlone: (cells) => playAlone(cells),
    async close() {
      await Promise.all([...threads].map((thread) => thread.close()))
    },
  }
}
