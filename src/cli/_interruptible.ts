const exitInterrupted = 130

/**
 * Does work that Ctrl-C ends: it throws once its signal is aborted, nothing of it is left behind, and that is said.
 * @returns what the work gives, or undefined where it was interrupted
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    return await work(stop.signal)
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown
    process.stderr.write('Interrupted. Nothing was written.\n')
    process.exitCode = exitInterrupted
    return undefined
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}
