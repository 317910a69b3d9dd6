import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { resolve, sep } from 'node:path'

/** What happens at a call: an error, or the end of the process before the call or in the middle of a write. */
export type Fault = 'ENOSPC' | 'EIO' | 'kill' | 'kill-halfway'

/** A call that touches a file, and the place in the code that made it. */
export interface FileCall {
  readonly kind: 'open' | 'write' | 'fsync' | 'rename' | 'link' | 'unlink'
  readonly path: string
  readonly site: string
}

/** Which calls are counted, and the fault of one of them. */
export interface FaultOptions {
  /** Only calls for files below this folder are counted. */
  readonly below: string
  /** Index of the call that gets the fault, from 0; no call does if it is absent. */
  readonly at?: number
  readonly fault?: Fault
  /** Ends the process. If it returns, as in a test, later calls have no effect. */
  readonly kill: () => void
  /** Replaces the start time of this process, so that one process can stand for several that run one after another. */
  readonly life?: string
}

/** Installed faults. */
export interface Faults {
  readonly calls: readonly FileCall[]
  remove(): void
}

const real = { ...fs }
const realPromises = { ...fs.promises }

/** Wraps the functions of `node:fs` that shaketable uses; others are not covered. */
export function installFaults(options: FaultOptions): Faults {
  const below = resolve(options.below) + sep
  const calls: FileCall[] = []
  let isDead = false
  const paths = new Map<number, string>()

  const isCounted = (path: unknown): path is string => typeof path === 'string' && resolve(path).startsWith(below)
  const die = (): never => {
    options.kill()
    isDead = true
    throw new Error('the process was killed')
  }
  const hit = (kind: FileCall['kind'], path: unknown, half: () => void = () => undefined): void => {
    if (!isCounted(path)) return
    if (isDead) die()
    calls.push({ kind, path: resolve(path).slice(below.length), site: siteOf(new Error().stack ?? '') })
    if (calls.length - 1 !== options.at || options.fault === undefined) return
    if (options.fault === 'kill-halfway') half()
    if (options.fault === 'kill' || options.fault === 'kill-halfway') die()
    const error: NodeJS.ErrnoException = new Error(`${options.fault}: made up for a test, ${kind}`)
    throw Object.assign(error, { code: options.fault, syscall: kind })
  }
  const pathOf = (target: unknown): unknown => (typeof target === 'number' ? paths.get(target) : target)
  const asBytes = (data: unknown): Buffer => (typeof data === 'string' ? Buffer.from(data) : (data as Buffer))

  const openSync = (path: string, flags: string = 'r', mode?: number): number => {
    hit('open', path)
    const file = real.openSync(path, flags, mode)
    if (isCounted(path)) paths.set(file, path)
    return file
  }
  const writeAll = (file: number, path: unknown, bytes: Buffer): void => {
    const write = (part: Buffer): void => {
      for (let done = 0; done < part.length;) done += real.writeSync(file, part, done)
    }
    hit('write', path, () => write(bytes.subarray(0, bytes.length >> 1)))
    write(bytes)
  }
  const writeFileSync = (path: string, data: unknown, given?: { flag?: string; flush?: boolean }): void => {
    if (!isCounted(path)) return real.writeFileSync(path, data as string, given)
    const file = openSync(path, given?.flag ?? 'w')
    try {
      writeAll(file, path, asBytes(data))
      if (given?.flush === true) hit('fsync', path)
    } finally {
      real.closeSync(file)
    }
  }
  const readFileSync = (path: unknown, given?: unknown): unknown => {
    if (options.life !== undefined && path === `/proc/${String(process.pid)}/stat`) {
      return `1 (node) ${'0 '.repeat(19)}${options.life} 0`
    }
    hit('open', path)
    return real.readFileSync(path as string, given as 'utf8')
  }

  const patched = {
    openSync,
    writeFileSync,
    readFileSync,
    closeSync(file: number) {
      paths.delete(file)
      real.closeSync(file)
    },
    writeSync(file: number, data: Buffer, offset = 0, length = data.length - offset, position?: number) {
      const write = (bytes: number): number => real.writeSync(file, data, offset, bytes, position)
      hit('write', pathOf(file), () => write(length >> 1))
      return write(length)
    },
    ftruncateSync(file: number, length?: number) {
      hit('write', pathOf(file))
      real.ftruncateSync(file, length)
    },
    fdatasyncSync(file: number) {
      hit('fsync', pathOf(file))
    },
    renameSync(from: string, to: string) {
      hit('rename', to)
      real.renameSync(from, to)
    },
    linkSync(from: string, to: string) {
      hit('link', to)
      real.linkSync(from, to)
    },
    unlinkSync(path: string) {
      hit('unlink', path)
      real.unlinkSync(path)
    },
    rmSync(path: string, given?: fs.RmOptions) {
      if (real.existsSync(path)) hit('unlink', path)
      real.rmSync(path, given)
    },
  }
  const wrap = (handle: FileHandle, path: string): FileHandle =>
    Object.assign(handle, {
      appendFile(data: Uint8Array) {
        return Promise.resolve().then(() => writeAll(handle.fd, path, Buffer.from(data)))
      },
      datasync: () => Promise.resolve().then(() => hit('fsync', path)),
      async truncate(length: number) {
        hit('write', path)
        await Promise.resolve(real.ftruncateSync(handle.fd, length))
      },
    })
  const patchedPromises = {
    async open(path: string, flags?: string, mode?: number) {
      hit('open', path)
      const handle = await realPromises.open(path, flags, mode)
      return isCounted(path) ? wrap(handle, path) : handle
    },
    async readFile(path: unknown, given?: unknown): Promise<unknown> {
      hit('open', path)
      return realPromises.readFile(path as string, given as 'utf8')
    },
    async writeFile(path: string, data: unknown, given?: { flag?: string }): Promise<void> {
      if (isCounted(path)) writeFileSync(path, data, given)
      else await realPromises.writeFile(path, data as string, given)
    },
    async rename(from: string, to: string) {
      hit('rename', to)
      await realPromises.rename(from, to)
    },
    async unlink(path: string) {
      hit('unlink', path)
      await realPromises.unlink(path)
    },
  }
  Object.assign(fs, patched)
  Object.assign(fs.promises, patchedPromises)
  syncBuiltinESMExports()
  return {
    calls,
    remove() {
      const originals = (all: object, some: object): object =>
        Object.fromEntries(Object.entries(all).filter(([name]) => name in some))
      Object.assign(fs, originals(real, patched))
      Object.assign(fs.promises, originals(realPromises, patchedPromises))
      syncBuiltinESMExports()
    },
  }
}

/** The places in shaketable's own code that led to a call, innermost first. */
function siteOf(stack: string): string {
  return [...stack.matchAll(/\/(src\/[\w/-]+)\.[jt]s:(\d+)/g)].map(([, file, line]) => `${file!}:${line!}`).join(' < ')
}
