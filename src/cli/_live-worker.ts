import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { renderPage } from '../../reports/html/html.js'
import { messageOf } from '../core/errors.js'
import type { PublishedRow } from '../run/plan.js'
import { makeFolder } from '../files/make-folder.js'
import { writeWhole } from '../files/write-whole.js'
import { readRun } from '../run/store/read-run.js'

/** What a rendering thread is started with. */
export interface Rendering {
  /** The run. */
  readonly folder: string
  /** A folder for the files of the page. */
  readonly out: string
  readonly version: string
  readonly trajectories: boolean
  readonly published?: readonly PublishedRow[]
}

/** What it answers, once. */
export type Rendered =
  | { readonly files: readonly string[]; readonly stored: number; readonly planned: number }
  | { readonly problem: string }

const { folder, out, version, trajectories, published } = workerData as Rendering

function render(): Rendered {
  try {
    const stored = readRun(folder)
    if (stored.stored === 0) return { problem: 'The run has no episode yet.' }
    const run = Object.assign(stored, published && { published }, !trajectories && { trajectories: undefined })
    makeFolder(out)
    const files: string[] = []
    for (const { file, text } of renderPage(run, version)) {
      writeWhole(join(out, file), text)
      files.push(file)
    }
    return { files, stored: stored.stored, planned: stored.planned }
  } catch (thrown) {
    return { problem: messageOf(thrown) }
  }
}

parentPort!.postMessage(render())
