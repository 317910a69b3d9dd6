import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import html from '../../../reports/html/html.js'
import type { StoredRun } from '../../../src/run/plan.js'

/**
 * The browser that tests drive: $CHROMIUM_PATH, or an installed one; undefined if there is none, and those tests are
 * skipped.
 */
export const chromiumPath: string | undefined = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  ...['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) =>
    (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
  ),
].find((path) => path !== undefined && path !== '' && canRun(path))

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts the browser, without features that use the network on their own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** A folder with a run's page. */
export interface WrittenPage {
  readonly folder: string
  readonly files: readonly string[]
  /** Address of report.html. */
  readonly address: string
  remove(): void
}

/** Writes a run's page into a temporary folder. */
export function writePage(run: StoredRun): WrittenPage {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-page-'))
  const files: string[] = []
  for (const { file, text } of html.render(run)) {
    writeFileSync(join(folder, file), text)
    files.push(file)
  }
  return {
    folder,
    files,
    address: pathToFileURL(join(folder, 'report.html')).href,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/**
 * A page in the browser with its problems: console messages, errors, dialogs, and requests outside its folder.
 */
export interface OpenedPage {
  readonly page: Page
  readonly problems: readonly string[]
}

/** Opens a written page with a hash in its address, and waits until its list of episodes can be used. */
export async function openPage(
  browser: Browser,
  written: WrittenPage,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options })
  const problems: string[] = []
  const home = written.address.slice(0, -'report.html'.length)
  page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(home) && request.url() !== 'data:,')
      problems.push(`request: ${request.url().slice(0, 200)}`)
  })
  await page.goto(`${written.address}${hash}`)
  while (!(await page.evaluate<boolean>(isReady))) await page.waitForTimeout(20)
  return { page, problems }
}

/** Milliseconds from the start of navigation until the list of episodes can be used. */
export async function millisecondsToReady(page: Page): Promise<number> {
  return page.evaluate<number>("performance.getEntriesByName('shaketable-ready')[0].startTime")
}

const isReady = "performance.getEntriesByName('shaketable-ready').length > 0"

/** Saves a picture of the page in test-artefacts/, for visual review. */
export async function takePicture(page: Page, name: string, fullPage = false): Promise<void> {
  const folder = fileURLToPath(new URL('../../../test-artefacts/report-html', import.meta.url))
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage })
}
