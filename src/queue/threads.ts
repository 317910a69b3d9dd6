import type { SentEpisode } from '../run/store/record.js'
import type { Thread } from '../run/worker-pool.js'
import { startWorker } from '../run/worker-pool.js'
import type { QueuedRun } from './messages.js'

/** The threads in which a worker plays the jobs of a run. */
export interface Threads {
  /** Models behind servers share one thread, and so the limits of their servers; others have one for each job. */
  play(cell: number): Promise<SentEpisode>
  /** Plays in a thread that no other job has. */
  playAlone(cell: number): Promise<SentEpisode>
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

  const playIn = async (thread: Thread, cell: number): Promise<SentEpisode> => {
    const [episode] = await thread.play([cell])
    if (episode === undefined) throw new Error('its worker gave the episode up')
    return episode
  }
  const playShared = async (cell: number): Promise<SentEpisode> => {
    const thread = (shared ??= start())
    try {
      return await playIn(thread, cell)
    } catch (thrown) {
      // Its other jobs may end well; jobs from now on have another thread.
      if (shared === thread) shared = undefined
      throw thrown
    } finally {
      if (shared !== thread && thread.waiting() === 0) await drop(thread)
    }
  }
  const playAlone = async (cell: number, thread = start(), keeps = false): Promise<SentEpisode> => {
    let isKept = false
    try {
      const episode = await playIn(thread, cell)
      isKept = keeps
      return episode
    } finally {
      if (isKept) idle.push(thread)
      else await drop(thread)
    }
  }
  return {
    play: (cell) => (live ? playShared(cell) : playAlone(cell, idle.pop(), true)),
    playAlone: (cell) => playAlone(cell),
    async close() {
      await Promise.all([...threads].map((thread) => thread.close()))
    },
  }
}
