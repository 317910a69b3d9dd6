import { spawn } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Fault, FileCall } from './_faulty-files.js'

/** Arguments of a run of two episodes with its report and a recording, all below one folder. */
export function runArgs(folder: string): string[] {
  const grid = ['--env', 'household', '--tasks', '1', '--perturb', 'placebo', '--model', 'parrot', '--steps', '2']
  const files = ['--record', join(folder, 'tape.jsonl'), '--out', join(folder, 'run')]
  return ['run', ...grid, '--seeds', '1', '--temperatures', '0', ...files]
}

/**
 * The content of every file below the folder, by path. Of the recording only the replies count, since the exchanges of
 * an interrupted episode occur in it twice; of the trajectories and prompts the last line of each name, for the same
 * reason.
 */
export function lookAt(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  const files = paths.filter((path) => statSync(path).isFile())
  return Object.fromEntries(
    files.map((path) => [
      relative(folder, path),
      path.endsWith('tape.jsonl')
        ? answersOf(path)
        : /(?:trajectories|prompts)\.jsonl$/.test(path)
          ? lastLinesOf(path)
          : readFileSync(path, 'utf8'),
    ]),
  )
}

function lastLinesOf(path: string): string {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return [...new Map(lines.map((line) => [line.slice(0, '{"hash":"'.length + 20), line])).values()].sort().join('\n')
}

function answersOf(tape: string): string {
  const lines = readFileSync(tape, 'utf8').trimEnd().split('\n')
  const values = lines.map((line) => JSON.parse(line) as { id?: string; reply?: unknown })
  return JSON.stringify([...new Map(values.map(({ id, reply }) => [id ?? '', reply]))].sort())
}

/**
 * The index of the first call from each call site. All files of a report count as one, since the same lines write them.
 */
export function callSites(calls: readonly FileCall[]): number[] {
  const seen = new Set<string>()
  return calls.flatMap(({ kind, path, site }, at) => {
    const file = path.startsWith('run/report') ? 'report' : path.replaceAll(/[0-9a-f]{12}/g, '#')
    const place = `${kind} ${file} ${site}`
    if (seen.has(place)) return []
    seen.add(place)
    return [at]
  })
}

/** How a process ended. */
export interface EndedProcess {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

/** Tests import this file as source, benches import it from `dist`. */
const here = new URL('..', import.meta.url)
const dist = here.pathname.endsWith('/dist/') ? here : new URL('dist/', here)
const built = (path: string): string => fileURLToPath(new URL(path, dist))

/** Plays the run with a fault in a process of its own; `list` is the file for its calls. */
export function playFaulty(
  folder: string,
  given: { readonly at?: number; readonly fault?: Fault; readonly list?: string } = {},
): Promise<EndedProcess> {
  const child = spawn(
    process.execPath,
    ['--import', built('bench/_faulty-process.js'), built('bundle/main.js'), ...runArgs(folder)],
    {
      env: { ...process.env, NO_COLOR: '1', SHAKETABLE_FAULT: JSON.stringify({ ...given, below: folder }) },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stderr }))
  })
}
