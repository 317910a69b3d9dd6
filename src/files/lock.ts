import { constants, copyFileSync, existsSync, linkSync, readFileSync, readdirSync, unlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { hashOf } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import { parseJson } from './json.js'
import { tryToRemove, writeParts } from './open-to-write.js'
import { readWhole } from './read-text.js'

const holderSchema = z.object({ pid: z.int(), host: z.string(), started: z.string() })

/**
 * The process that holds a lock, and its start time as the system reports it, which distinguishes it from a later
 * process with the same number.
 */
type LockHolder = z.infer<typeof holderSchema>

/** A lock held by this process. */
export interface Lock {
  release(): void
}

/**
 * Makes this process the only writer of a run or another guarded thing. The lock of a dead process is taken over: only
 * the holder of the lock named after its content may remove it, so exactly one of several processes succeeds.
 * @param what what it guards, and `elsewhere` how to choose another place, for the message
 * @throws ShaketableError `store` if another process holds the lock, or may hold it on another machine
 */
export function takeLock(path: string, what = 'this run', elsewhere = 'give --out another folder'): Lock {
  const text = `${JSON.stringify(thisProcess())}\n`
  for (let attempt = 0; attempt < 5; attempt++) {
    if (create(path, text)) {
      removeLeftovers(path)
      return { release: () => release(path, text) }
    }
    const holder = read(path)
    if (holder === undefined) continue
    if (isAlive(holder.holder)) {
      const { pid, host } = holder.holder ?? {}
      const who = pid === undefined ? 'an unreadable lock' : `process ${String(pid)} on ${host!.slice(0, 100)}`
      const message = `Another writer holds ${what}: ${who}. Wait for it to end, or ${elsewhere}; if you know that it is gone, delete ${path}.`
      throw new ShaketableError('store', message)
    }
    const right = takeLock(`${path}.${hashOf(holder.text, 12)}`, what, elsewhere)
    try {
      if (read(path)?.text === holder.text) unlinkSync(path)
    } finally {
      right.release()
    }
  }
  throw new ShaketableError(
    'store',
    `Could not take the lock ${path}: other processes keep taking and releasing it. Try again.`,
  )
}

/** Whether a live process, or one on another machine, holds the lock. */
export function isLocked(path: string): boolean {
  const holder = read(path)
  return holder !== undefined && isAlive(holder.holder)
}

/** This process as the holder of a lock. */
export function thisProcess(): LockHolder {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid) }
}

/**
 * Creates a complete file: a draft is written and then linked to its name. False if the name exists already, or another
 * process removed the draft.
 */
function create(path: string, text: string): boolean {
  const draft = `${path}.${hashOf(text, 12)}.draft`
  try {
    writeParts(draft, [text])
    linkSync(draft, path)
    return true
  } catch (thrown) {
    const { code = '', syscall } = thrown as NodeJS.ErrnoException
    if (code === 'EEXIST' || (code === 'ENOENT' && existsSync(dirname(path)))) return false
    if (syscall !== 'link' || !withoutLinks.has(code)) throw thrown
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
    return true
  } finally {
    tryToRemove(draft)
  }
}

/** Error codes of file systems without hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK'])

/**
 * Removes what killed processes left beside a lock: drafts, and locks for removing it. If a live process loses its
 * draft it writes another; a lock for removing the old lock is no longer needed. The next process that takes the lock
 * tries again where one stays.
 */
function removeLeftovers(path: string): void {
  const [folder, start] = [dirname(path), basename(path)]
  try {
    for (const name of readdirSync(folder)) {
      if (name.startsWith(start) && leftover.test(name.slice(start.length))) tryToRemove(join(folder, name))
    }
  } catch {
    // They are small and harmless.
  }
}

const leftover = /^(\.[0-9a-f]{12})+(\.draft)?$/

/** Never throws: a lock that remains is stale once this process has ended. */
function release(path: string, text: string): void {
  try {
    if (read(path)?.text === text) unlinkSync(path)
  } catch {
    // See above.
  }
}

/** A lock; its holder is undefined where it cannot be read. */
function read(path: string) {
  const text = readWhole(path, maxBytes)?.toString('utf8')
  return text === undefined ? undefined : { text, holder: holderSchema.safeParse(parseJson(text)).data }
}

/** A lock has less than a kilobyte. */
const maxBytes = 1 << 16

/** Whether the holder of a lock runs, or may run on another machine. */
function isAlive(holder: LockHolder | undefined): boolean {
  if (holder === undefined || holder.host !== hostname()) return true
  try {
    process.kill(holder.pid, 0)
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
  return startOf(holder.pid) === holder.started
}

/** Field 22 of /proc/PID/stat where there is such a file, `unknown` elsewhere. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}
