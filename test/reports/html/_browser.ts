import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { expect } from 'vitest'
import html from '../../../reports/html/html.js'
import type { StoredRun } from '../../../src/run/plan.js'

/** The browser that tests drive: $CHROMIUM_PATH, or the system's; without one those tests are skipped. */
export const chromiumPath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
)

/** Starts the browser, without features that use the network on their own. */
export function launchBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic']
  return chromium.launch({
    executablePath: chromiumPath!,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet],
  })
}

/** A run's page in a temporary folder. */
export interface WrittenPage {
  /** Address of report.html. */
  readonly address: string
  remove(): void
}

/** Writes a run's page into a temporary folder. */
export function writePage(run: StoredRun): WrittenPage {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-page-'))
  for (const { file, text } of html.render(run)) writeFileSync(join(folder, file), text)
  return {
    address: pathToFileURL(join(folder, 'report.html')).href,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/**
 * Opens a written page with a hash in its address, runs a test on it, and expects no console message, error, dialog,
 * and no request outside its folder.
 */
export async function visit(
  browser: Browser,
  written: WrittenPage,
  hash: string,
  test: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
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
  try {
    await page.goto(`${written.address}${hash}`)
    // The page's policy allows no script that a browser polls by itself.
    while (!(await page.evaluate<boolean>(isReady))) await page.waitForTimeout(20)
    await test(page)
    expect(problems).toEqual([])
  } finally {
    await page.close()
  }
}

const isReady = "performance.getEntriesByName('shaketable-ready').length > 0"

/** Saves a picture of the page in test-artefacts/, for visual review. */
export async function takePicture(page: Page, name: string, fullPage = false): Promise<void> {
  const folder = fileURLToPath(new URL('../../../test-artefacts/report-html', import.meta.url))
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage })
}
