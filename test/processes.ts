/** Whether a process is running. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until a process has ended, at most half a minute. */
export async function untilGone(pid: number): Promise<void> {
  for (let tries = 0; isAlive(pid); tries++) {
    if (tries > 600) throw new Error(`the process ${String(pid)} did not end`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
