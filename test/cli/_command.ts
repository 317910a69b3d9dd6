import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import type { EpisodeRow } from '../../src/results/episode-row.js'

/** The built command; `npm test` builds it first. */
export const main = join(
  dirname(createRequire(import.meta.url).resolve('shaketable/package.json')),
  'dist/bundle/main.js',
)

const built = new URL('src/cli/commands.js', pathToFileURL(dirname(dirname(main)) + '/')).href

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that is running. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

/** Starts the command in a folder, without colours and API keys. */
export function start(args: readonly string[], cwd: string, variables: Readonly<Record<string, string>> = {}): Running {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH, HOME, NO_COLOR: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  return { child, ended }
}

type Variables = Readonly<Record<string, string>>

let before: Promise<unknown> = Promise.resolve()

/**
 * Runs the built command, given as words or as a line without quotes, until it ends: in this process, one after the
 * other, with the folder, the variables and the streams that {@link start} gives to a process of its own. A command
 * that reads standard input, waits for signals, or has a plug-in, which may end its process, has such a process.
 */
export function shaketable(given: readonly string[] | string, cwd: string, variables: Variables = {}): Promise<Ended> {
  const args = typeof given === 'string' ? given.split(' ') : given
  if (['play', 'worker'].includes(args[0]!) || args.includes('--plugin')) return start(args, cwd, variables).ended
  const ended = before.then(() => performIn(args, cwd, variables))
  before = ended.catch(() => undefined)
  return ended
}

/** As {@link shaketable}, for a command that has to succeed. */
export async function succeed(given: readonly string[] | string, cwd: string, variables?: Variables): Promise<Ended> {
  const ended = await shaketable(given, cwd, variables)
  expect(ended.code, `${String(given)}\n${ended.stderr}`).toBe(0)
  return ended
}

async function performIn(args: readonly string[], cwd: string, variables: Variables): Promise<Ended> {
  const folder = process.cwd()
  process.chdir(cwd)
  try {
    return await captured(async () => {
      const module = (await import(/* @vite-ignore */ built)) as { perform(args: readonly string[]): Promise<void> }
      await module.perform(args)
    }, variables)
  } finally {
    process.chdir(folder)
  }
}

/** Does something in this process as a command would: its output is returned, and what it sets is reset. */
export async function captured(work: () => Promise<unknown>, variables: Variables = {}): Promise<Ended> {
  const { PATH, HOME } = process.env
  const { exitCode, env } = process
  const read = { stdout: '', stderr: '' }
  const writers = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name]
    const { write } = stream
    stream.write = (text: string | Uint8Array, ...rest: unknown[]): boolean => {
      read[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      const done = rest.at(-1)
      if (typeof done === 'function') (done as () => void)()
      return true
    }
    return () => (stream.write = write)
  })
  const events = ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection'] as const
  const listeners = events.map((event) => process.listeners(event as NodeJS.Signals))
  process.env = { PATH, HOME, NO_COLOR: '1', ...variables }
  process.exitCode = undefined
  try {
    await work()
    return { code: Number(process.exitCode ?? 0), ...read }
  } finally {
    for (const restore of writers) restore()
    events.forEach((event, index) => {
      process.removeAllListeners(event)
      for (const listener of listeners[index]!) process.on(event, listener)
    })
    Object.assign(process, { env, exitCode })
  }
}

/** The rows of a run, in the order in which they are stored. */
export function rowsOf(folder: string): EpisodeRow[] {
  return linesOf(join(folder, 'outcomes.jsonl')).map((line) => JSON.parse(line) as EpisodeRow)
}

/** The text of every file of a run's report, by name. */
export function reportOf(folder: string): Readonly<Record<string, string>> {
  const report = join(folder, 'report')
  const names = readdirSync(report, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(report, name)).isFile()).sort()
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(report, name), 'utf8')]))
}

/** Waits until a file has `count` lines. */
export async function untilLines(path: string, count: number): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    if (existsSync(path) && linesOf(path).length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`${path} never had ${String(count)} lines`)
}

/**
 * The valid episodes of a run, to the byte: the lines of rows and trajectories, sorted because they are stored in the
 * order in which episodes ended, and every report. Left out are rows that ended in an error, each of which was played
 * again, and their trajectories, and the attempts and times of calls.
 */
export function bytesOf(folder: string): Readonly<Record<string, string>> {
  const isError = (line: string): boolean => /"outcome":"(?:model|environment)-error"/.test(line)
  const rows = linesOf(join(folder, 'outcomes.jsonl')).filter((line) => !isError(line))
  const withoutCalls = (line: string): string =>
    JSON.stringify(
      JSON.parse(line, (name, value: unknown) => (['attempts', 'milliseconds'].includes(name) ? undefined : value)),
    )
  const played = new Set(rows.map((line) => line.slice(0, 30)))
  const last = new Map(
    linesOf(join(folder, 'trajectories.jsonl'))
      .filter((line) => played.has(line.slice(0, 30)))
      .map((line) => [line.slice(0, 30), withoutCalls(line)]),
  )
  return {
    rows: rows.sort().join('\n'),
    trajectories: [...last.values()].sort().join('\n'),
    ...reportOf(folder),
  }
}

/** The first file in which the valid episodes or the reports of two runs differ; undefined if they are equal. */
export function partingOf(one: string, other: string): string | undefined {
  const [a, b] = [bytesOf(one), bytesOf(other)]
  return Object.keys({ ...a, ...b }).find((name) => a[name] !== b[name])
}

/** The whole lines of a file. */
export function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}
