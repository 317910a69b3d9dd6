import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ShaketableError } from '../../core/errors.js'
import { parseJson } from '../../files/json.js'
import { makeFolder } from '../../files/make-folder.js'
import { readWhole } from '../../files/read-text.js'
import { asWriteError } from '../../files/write-error.js'
import { writeWhole } from '../../files/write-whole.js'

/** Creates a run's folder. @throws ShaketableError `store` if it holds other files */
export function makeRunFolder(files: RunFiles): void {
  const { folder } = files
  makeFolder(folder)
  if (existsSync(files.plan)) return
  const own = [files.lock, files.plan, files.servers].map((path) => basename(path))
  const unknown = readdirSync(folder).filter((name) => !own.some((file) => name.startsWith(file)))
  if (unknown.length > 0) {
    throw new ShaketableError(
      'store',
      `Expected an empty folder or a run, but ${folder} holds other files (${unknown.slice(0, 3).join(', ')}). Give --out another folder.`,
    )
  }
}

const elsewhere = 'Give --out another folder'

/** Explains a failed write to the user. */
export function asStoreError(thrown: unknown, path: string): ShaketableError {
  return asWriteError(thrown, path, elsewhere)
}

/** The files of a run folder, by what they hold. */
const names = {
  /** The plan and the experiment that it was created from. */
  plan: 'plan.json',
  /** One small row per episode. It decides which episodes are done. */
  outcomes: 'outcomes.jsonl',
  /** One line per episode, for people. */
  trajectories: 'trajectories.jsonl',
  /** Messages of first prompts, each once. */
  prompts: 'prompts.jsonl',
  /** Reports of its servers, if they were probed. */
  servers: 'servers.json',
  /** Why the last session ended early, if it did. */
  stopped: 'stopped.json',
  lock: 'lock',
  report: 'report',
} as const

/** The paths of a run folder's files. */
export type RunFiles = { readonly folder: string } & { readonly [Name in keyof typeof names]: string }

/** The paths of a run folder's files. */
export function filesOf(folder: string): RunFiles {
  const paths = Object.entries(names).map(([name, file]) => [name, join(folder, file)] as const)
  return { folder, ...(Object.fromEntries(paths) as Omit<RunFiles, 'folder'>) }
}

/** The most characters of a reason: it is shown in titles and lists. */
const maxReason = 2000

/** Records why a run stopped early. @throws ShaketableError `store` if that cannot be written */
export function writeStopped(path: string, reason: string): void {
  writeWhole(path, `${JSON.stringify({ stopped: reason })}\n`, elsewhere)
}

/** Removes that record when the run goes on. @throws ShaketableError `store` if it cannot be removed */
export function clearStopped(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (thrown) {
    throw asStoreError(thrown, path)
  }
}

/** Why a run stopped early; undefined if it did not. */
export function readStopped(path: string): string | undefined {
  const text = readWhole(path)?.toString('utf8')
  if (text === undefined) return undefined
  const { stopped } = (parseJson(text) ?? {}) as { readonly stopped?: unknown }
  return typeof stopped === 'string' ? stopped.slice(0, maxReason) : 'for a reason that cannot be read'
}
