import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../core/errors.js'
import type { PublishedRow } from '../run/plan.js'
import { isLocked } from '../files/lock.js'
import { stampOf } from '../run/follow-run.js'
import { filesOf, readStopped } from '../run/store/run-folder.js'
import { serveWith } from '../serve/server.js'
import type { Rendered, Rendering } from './_live-worker.js'
import { escapeLine, number, printData, say } from './_lines.js'
import { onStop } from './_signals.js'

interface LiveOptions {
  /** 0 for a free one. */
  readonly port: number
  readonly trajectories: boolean
  readonly published?: readonly PublishedRow[] | undefined
}

const host = '127.0.0.1'
const pollMs = 1000

/** Serves the page of a run on this machine alone, until Ctrl-C. Writes nothing into the run. */
export async function serveLive(folder: string, options: LiveOptions): Promise<void> {
  const pages = createPages(folder, options)
  const stopped = new Promise<void>(onStop)
  try {
    const serving = await serveWith((request, response) => answer(request, response, pages), {
      port: options.port,
      host,
    })
    const address = new URL(serving.baseUrl).host
    await printData(`http://${address}/`)
    say(`The page of ${folder} is refreshed while the run goes on. Ctrl-C ends the server, not the run.`)
    let wasRunning = true
    const timer = setInterval(() => {
      try {
        const { isRunning, text } = pages.state()
        if (wasRunning && !isRunning) say(`The run has ended: ${text}. The page stays until Ctrl-C.`)
        wasRunning = isRunning
      } catch {
        // A folder that cannot be read now: the page says so, and stays.
      }
    }, pollMs)
    await stopped
    clearInterval(timer)
    pages.close()
    await serving.close()
  } finally {
    pages.close()
  }
}

type Pages = ReturnType<typeof createPages>

/** A rendered page. */
interface Page {
  readonly version: string
  readonly out: string
  readonly files: readonly string[]
  readonly stamp: string
  readonly stored: number
  readonly planned: number
}

/** The least time between two renderings, and their largest share of the time. */
const [minPauseMs, maxShare] = [2000, 0.2]
/** A page that is being read can still ask for its files of episodes. */
const keptPages = 2

/**
 * The pages of a run, each rendered in a thread of its own, one at a time, and only when one is asked for and the files
 * of the run have changed. While the run goes on rendering takes at most a fifth of the time.
 */
function createPages(folder: string, { trajectories, published }: LiveOptions) {
  const files = filesOf(folder)
  const scratch = mkdtempSync(join(tmpdir(), 'shaketable-live-'))
  /** A server that is started again must not give its pages the names of earlier ones. */
  const series = Date.now().toString(36)
  const pages: Page[] = []
  let count = 0
  let running: { readonly worker: Worker; readonly done: Promise<void> } | undefined
  let problem: string | undefined
  let problemStamp: string | undefined
  let notBefore = 0
  const stampNow = (): string =>
    [files.plan, files.outcomes, files.stopped, files.prices, files.servers, files.shrunk].map(stampOf).join(';')

  const render = (): Promise<void> => {
    // Without the lock the page has another notice.
    const stamp = `${stampNow()};${String(isLocked(files.lock))}`
    const began = performance.now()
    const version = `${series}-${String(++count)}`
    const out = join(scratch, version)
    const start: Rendering = { folder, out, version, trajectories, ...(published && { published }) }
    const worker = new Worker(new URL('./_live-worker.js', import.meta.url), { workerData: start })
    const done = new Promise<Rendered>((resolve) => {
      worker.on('message', resolve)
      worker.on('error', (thrown) => resolve({ problem: messageOf(thrown) }))
      worker.on('exit', () => resolve({ problem: 'The page was not finished.' }))
    }).then((rendered) => {
      const took = performance.now() - began
      notBefore = performance.now() + Math.max(minPauseMs, took / maxShare - took)
      running = undefined
      problem = 'problem' in rendered ? rendered.problem : undefined
      if ('problem' in rendered) {
        problemStamp = stamp
        rmSync(out, { recursive: true, force: true })
        return
      }
      pages.unshift({ ...rendered, version, out, stamp })
      for (const old of pages.splice(keptPages)) rmSync(old.out, { recursive: true, force: true })
    })
    running = { worker, done }
    return done
  }
  return {
    /** Begins to render the newest page, if it is time to. */
    refresh(): void {
      const isRunning = isLocked(files.lock)
      const stamp = `${stampNow()};${String(isRunning)}`
      const isNew = stamp !== (problem === undefined ? pages[0]?.stamp : problemStamp)
      if (running === undefined && isNew && (!isRunning || performance.now() >= notBefore)) void render()
    },
    /** The newest page, once there is one; undefined if it cannot be rendered. */
    async newest(): Promise<Page | undefined> {
      if (pages.length === 0 && running !== undefined) await running.done
      return pages[0]
    },
    problem: () => problem,
    all: () => pages,
    state() {
      const isRunning = isLocked(files.lock)
      const page = pages[0]
      const counts = page === undefined ? '' : ` · ${number(page.stored)} of ${number(page.planned)} episodes`
      const { stopped } = readStopped(files.stopped)
      const word = isRunning
        ? 'running'
        : page !== undefined && page.stored >= page.planned
          ? 'complete'
          : (stopped ?? 'its writer has ended').replace(/\.$/, '')
      const trouble =
        problem === undefined || page === undefined ? '' : ` · not refreshed: ${problem.replace(/\.$/, '')}`
      const isOver = !isRunning && running === undefined && page?.stamp === `${stampNow()};false`
      return { version: page?.version ?? '', text: `${word}${counts}${trouble}`, isOver, isRunning }
    },
    close(): void {
      void running?.worker.terminate()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

const sideFile = /^report-episodes-\d{4,9}\.js$/

/** Answers requests for the page, its files and its state. */
async function answer(request: IncomingMessage, response: ServerResponse, pages: Pages): Promise<void> {
  const { method = '', url = '' } = request
  const send = (status: number, type: string, text: string, more: Readonly<Record<string, string>> = {}): void => {
    response.writeHead(status, { ...safe, 'content-type': `${type}; charset=utf-8`, ...more })
    response.end(method === 'HEAD' ? undefined : text)
  }
  const refuse = (status: number, text: string, more = {}): void => send(status, 'text/plain', `${text}\n`, more)
  if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'Expected GET or HEAD.', { allow: 'GET, HEAD' })
  const path = url.split(/[?#]/)[0]!
  const file = path.slice(1)
  if (path === '/state') {
    pages.refresh()
    const { version, text, isOver } = pages.state()
    return send(200, 'application/json', JSON.stringify({ version, text, isOver }))
  }
  const isPage = path === '/' || path === '/report.html'
  if (!isPage && !sideFile.test(file)) return refuse(404, 'There is no such page. Open /.')
  if (isPage) pages.refresh()
  const newest = await pages.newest()
  if (newest === undefined) {
    return refuse(503, `The page is not there yet. ${escapeLine(pages.problem() ?? '')}`.trim(), { refresh: '2' })
  }
  const page = isPage ? newest : pages.all().find(({ files }) => files.includes(file))
  if (page === undefined) return refuse(404, 'There is no such file of episodes.')
  const whole = join(page.out, isPage ? 'report.html' : file)
  response.writeHead(200, {
    ...safe,
    'content-type': `text/${isPage ? 'html' : 'javascript'}; charset=utf-8`,
    'content-length': statSync(whole).size,
  })
  if (method === 'HEAD') response.end()
  else await pipeline(createReadStream(whole), response)
}

const safe = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'none'",
}
