import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { EpisodeRow } from '../../src/core/episode.js'

/** The built command; `npm test` builds it first. */
export const main = join(
  dirname(createRequire(import.meta.url).resolve('shaketable/package.json')),
  'dist/bundle/main.js',
)

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

/** Runs the command until it exits. */
export function shaketable(
  args: readonly string[],
  cwd: string,
  variables?: Readonly<Record<string, string>>,
): Promise<Ended> {
  return start(args, cwd, variables).ended
}

/** The rows of a run, in the order in which they are stored. */
export function rowsOf(folder: string): EpisodeRow[] {
  return linesOf(join(folder, 'outcomes.jsonl')).map((line) => JSON.parse(line) as EpisodeRow)
}

/**
 * The text of every file of a run's report, by name, without what its sessions spent: two runs with equal episodes may
 * differ in it, and a replay has spent nothing.
 */
export function reportOf(folder: string): Readonly<Record<string, string>> {
  const report = join(folder, 'report')
  const read = (name: string): string =>
    readFileSync(join(report, name), 'utf8')
      .replace(/ "spent": \{[^}]*\},\n/, '')
      .replace(/<dd class="spent">.*?<\/dd>/, '')
  return Object.fromEntries(readdirSync(report).map((name) => [name, read(name)]))
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
 * again, and their trajectories.
 */
export function bytesOf(folder: string): Readonly<Record<string, string>> {
  const isError = (line: string): boolean => /"outcome":"(?:model|environment)-error"/.test(line)
  const rows = linesOf(join(folder, 'outcomes.jsonl')).filter((line) => !isError(line))
  const last = new Map(linesOf(join(folder, 'trajectories.jsonl')).map((line) => [line.slice(0, 30), line]))
  return {
    rows: rows.sort().join('\n'),
    trajectories: [...last.values()].sort().join('\n'),
    ...reportOf(folder),
  }
}

/** Undefined if two runs are equal to the byte; else their first difference. */
export function partingOf(one: string, other: string): string | undefined {
  const [a, b] = [bytesOf(one), bytesOf(other)]
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [left = '', right = ''] = [a[name], b[name]]
    if (left === right) continue
    let at = 0
    while (left[at] === right[at]) at++
    return [left, right]
      .map((text) => `${name} at ${String(at)}: ${text.slice(Math.max(0, at - 80), at + 80)}`)
      .join('\n')
  }
  return undefined
}

/** The whole lines of a file. */
export function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}
