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
interface FaultOptions {
  /** Only calls for files below this folder are counted. */
  readonly below: string
  /** Index of the call that gets the fault, from 0; no call does if it is absent. */
  readonly at?: number
  readonly fault?: Fault
  /** Replaces the start time of this process, so that one process can stand for several that run one after another. */
  readonly life: string
}

type Path = fs.PathLike

/**
 * Wraps the functions of `node:fs` that shaketable uses; others are not covered. After a kill no call has an effect.
 */
export function installFaults({ below, at, fault, life }: FaultOptions) {
  const root = resolve(below) + sep
  const calls: FileCall[] = []
  const paths = new Map<number, Path>()
  const [real, { open }] = [{ ...fs }, fs.promises]
  let isDead = false

  const die = (): never => {
    isDead = true
    throw new Error('the process was killed')
  }
  const hit = (kind: FileCall['kind'], path: unknown, half: () => void = () => undefined): void => {
    if (typeof path !== 'string' || !resolve(path).startsWith(root)) return
    if (isDead) die()
    calls.push({ kind, path: resolve(path).slice(root.length), site: siteOf(new Error().stack ?? '') })
    if (calls.length - 1 !== at || fault === undefined) return
    if (fault === 'kill-halfway') half()
    if (fault === 'kill' || fault === 'kill-halfway') die()
    throw Object.assign(new Error(`${fault}: made up for a test, ${kind}`), { code: fault, syscall: kind })
  }
  const patched = {
    openSync(path: string, flags = 'r', mode?: number) {
      hit('open', path)
      const file = real.openSync(path, flags, mode)
      paths.set(file, path)
      return file
    },
    closeSync(file: number) {
      paths.delete(file)
      real.closeSync(file)
    },
    readFileSync(path: string, given?: BufferEncoding) {
      if (path === `/proc/${String(process.pid)}/stat`) return `1 (node) ${'0 '.repeat(19)}${life} 0`
      hit('open', path)
      return real.readFileSync(path, given)
    },
    writeFileSync(path: string, data: string | Buffer, given?: fs.WriteFileOptions) {
      hit('write', path, () => real.writeFileSync(path, data.slice(0, data.length >> 1), given))
      real.writeFileSync(path, data, given)
    },
    writeSync(file: number, data: Buffer, offset = 0, length = data.length - offset, position?: number) {
      hit('write', paths.get(file), () => real.writeSync(file, data, offset, length >> 1, position))
      return real.writeSync(file, data, offset, length, position)
    },
    ftruncateSync(file: number, length?: number) {
      hit('write', paths.get(file))
      real.ftruncateSync(file, length)
    },
    fsyncSync: (file: number) => hit('fsync', paths.get(file)),
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
      async appendFile(bytes: Buffer) {
        const write = (part: Buffer): number => real.writeSync(handle.fd, part)
        await Promise.resolve(hit('write', path, () => write(bytes.subarray(0, bytes.length >> 1))))
        write(bytes)
      },
      datasync: async () => Promise.resolve(hit('fsync', path)),
      async truncate(length: number) {
        await Promise.resolve(hit('write', path))
        real.ftruncateSync(handle.fd, length)
      },
    })
  Object.assign(fs, patched)
  fs.promises.open = async (path, flags, mode) => {
    hit('open', path)
    return wrap(await open(path, flags, mode), String(path))
  }
  syncBuiltinESMExports()
  return {
    calls,
    remove() {
      for (const name of Object.keys(patched) as (keyof typeof patched)[]) Object.assign(fs, { [name]: real[name] })
      fs.promises.open = open
      syncBuiltinESMExports()
    },
  }
}

/** The places in shaketable's own code that led to a call, innermost first. */
function siteOf(stack: string): string {
  return [...stack.matchAll(/\/(src\/[\w/-]+)\.[jt]s:(\d+)/g)].map(([, file, line]) => `${file!}:${line!}`).join(' < ')
}
