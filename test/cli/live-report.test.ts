import { existsSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import html, { renderPage } from '../../reports/html/html.js'
import { takeLock } from '../../src/files/lock.js'
import { readRun } from '../../src/run/store/read-run.js'
import { chromiumPath, launchBrowser } from '../reports/html/_browser.js'
import { makePlan } from '../reports/fixture.js'
import { appendRows, rowsOfPlan, writeRun } from '../run/_written-run.js'
import { scratchFolder } from '../scratch.js'
import type { Running } from './_command.js'
import { shaketable, start } from './_command.js'

const scratch = scratchFolder()
const plan = makePlan({ environments: [{ name: 'household', tasks: 12 }] })
const rows = rowsOfPlan(plan, ({ column, index }) => (column.label === 'none' || index % 2 > 0 ? 'success' : 'failure'))
const folder = join(scratch, 'run')
writeRun(folder, plan, rows.slice(0, 60))
let server: Running
let address: string

async function serve(port = 0): Promise<void> {
  server = start(['report', folder, '--live', '--port', String(port)], scratch)
  address = await new Promise<string>((resolve, reject) => {
    server.child.stdout!.on('data', (text: string) => resolve(text.trim()))
    void server.ended.then(({ stderr }) => reject(new Error(stderr)))
  })
}

beforeAll(() => serve())
afterAll(() => server.child.kill('SIGKILL'))

function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(address)
    request({ hostname, port, path, headers, method }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
    })
      .on('error', reject)
      .end()
  })
}

describe('a served page', () => {
  it('is the written one, and a script of its own that the written one never has', () => {
    const [written, plain, live] = [
      html.render(readRun(folder)),
      renderPage(readRun(folder)),
      renderPage(readRun(folder), 'v1'),
    ].map((files) => [...files].find(({ file }) => file === 'report.html')!.text) as [string, string, string]
    expect(plain).toBe(written)
    expect(written).not.toMatch(/connect-src|shaketable-live/)
    expect(live).toContain('connect-src &#39;self&#39;')
    expect(live).toContain('<meta name="shaketable-live" content="v1">')
  })

  it('is given to this machine alone, with nothing else', async () => {
    const page = await ask('/')
    expect(page.status).toBe(200)
    expect(page.text).toContain('shaketable-live')
    expect(page.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(await ask('/', {}, 'HEAD')).toMatchObject({ status: 200, text: '' })
    expect(JSON.parse((await ask('/state')).text)).toMatchObject({
      text: 'its writer has ended · 60 of 432 episodes',
      isOver: true,
    })
    const { port } = new URL(address)
    const refused: readonly (readonly [number, string, Readonly<Record<string, string>>?, string?])[] = [
      [403, '/', { host: 'rebound.example' }],
      [403, '/state', { host: `rebound.example:${port}` }],
      [403, '/state', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' }],
      [403, '/report-episodes-0001.js', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' }],
      [405, '/', {}, 'POST'],
      [405, '/state', {}, 'OPTIONS'],
      [404, '/outcomes.jsonl'],
      [404, '/../outcomes.jsonl'],
      [404, '/%2e%2e/outcomes.jsonl'],
      [404, '//etc/passwd'],
      [404, '/report-episodes-0001.js'],
      [404, '/report-episodes-0001.js/../../outcomes.jsonl'],
    ]
    for (const [status, path, headers, method] of refused)
      expect([path, (await ask(path, headers, method)).status]).toEqual([path, status])
    expect((await ask('/', { host: `localhost:${port}` })).status).toBe(200)
    expect(readdirSync(folder).sort()).toEqual(['outcomes.jsonl', 'plan.json', 'trajectories.jsonl'])
  })

  it.each([
    [['--port', '8000'], /^--port: expected --live beside it/],
    [['--live', '--table', 'robustness'], /^--live: expected no other option than .*, got --table\./],
    [['--live', '--format', 'json'], /got --format\./],
  ])('refuses %s', async (args, problem) => {
    const { code, stderr } = await shaketable(['report', folder, ...args], scratch)
    expect([code, problem.test(stderr)]).toEqual([2, true])
  })

  it('names no flag that it does not have where its port is taken', async () => {
    const { port } = new URL(address)
    const { code, stderr } = await shaketable(['report', folder, '--live', '--port', port], scratch)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Give --port 0 for a free one\.\n$/)])
  })
})

describe.skipIf(chromiumPath === undefined)('a served page in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())
  const bar = (page: Page): Promise<string> => page.locator('aside[aria-label=Live]').innerText()
  /** Waits for an expression; the page's own policy forbids Playwright's way of waiting. A page that loads has none. */
  const until = async (page: Page, expression: string): Promise<void> => {
    for (let tries = 0; tries < 600; tries++) {
      if ((await page.evaluate(expression).catch(() => false)) === true) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`never: ${expression}, but ${await bar(page)}`)
  }
  const isReady = "performance.getEntriesByName('shaketable-ready').length > 0"
  const says = (page: Page, text: string) =>
    until(page, `document.querySelector('aside[aria-label=Live]').innerText.includes('${text}')`)
  const versionIs = (page: Page, other: string) =>
    until(page, `document.querySelector('meta[name=shaketable-live]').content !== '${other}' && ${isReady}`)
  const version = (page: Page) => page.evaluate<string>("document.querySelector('meta[name=shaketable-live]').content")

  it('follows the run at each width, and keeps its place', async () => {
    writeRun(folder, plan, rows.slice(0, 60))
    const lock = takeLock(join(folder, 'lock'))
    const top = "Math.round(document.getElementById('episodes').getBoundingClientRect().top)"
    const pages = await Promise.all(
      [1280, 1440, 390].map(async (width) => {
        const page = await browser.newPage({ viewport: { width, height: 900 } })
        const problems: string[] = []
        page.on('console', (message) => problems.push(message.text()))
        page.on('pageerror', ({ message }) => problems.push(message))
        await page.goto(`${address}#episodes?outcome=success`)
        await until(page, isReady)
        await says(page, 'running · 60 of')
        await page.evaluate(
          "document.getElementById('episodes').scrollIntoView({ behavior: 'instant' }); scrollBy({ top: 90, behavior: 'instant' }); dispatchEvent(new Event('pointerdown'))",
        )
        return { page, problems, before: await page.evaluate<number>(top), first: await version(page) }
      }),
    )
    appendRows(folder, rows.slice(60, 120))
    const seconds = await Promise.all(
      pages.map(async ({ page, before, first }) => {
        await versionIs(page, first)
        await says(page, '120 of 432')
        await page.waitForTimeout(700)
        expect(Math.abs((await page.evaluate<number>(top)) - before)).toBeLessThanOrEqual(2)
        expect(page.url()).toContain('#episodes?outcome=success')
        expect(await page.locator('#episodes output.shown').first().innerText()).toMatch(/ of 120 episodes/)
        // An open episode is not taken away from its reader.
        await page.evaluate(`location.hash = '#${rows[0]!.key.slice(0, 12)}'`)
        return version(page)
      }),
    )
    appendRows(folder, rows.slice(120))
    lock.release()
    await Promise.all(
      pages.map(async ({ page, problems }, place) => {
        const second = seconds[place]!
        await page.getByRole('button', { name: 'Show them' }).waitFor()
        expect(await version(page)).toBe(second)
        await page.getByRole('button', { name: 'Show them' }).click()
        await versionIs(page, second)
        expect(await page.evaluate("document.getElementById('viewer').hidden")).toBe(false)
        await says(page, 'complete · 432 of 432 episodes.')
        expect(problems).toEqual([])
        await page.close()
      }),
    )
  }, 120_000)

  it('says that its server has stopped, and goes on with the next one', async () => {
    const page = await browser.newPage()
    await page.goto(address)
    await until(page, isReady)
    const before = await version(page)
    const { port } = new URL(address)
    const began = performance.now()
    server.child.kill('SIGINT')
    expect((await server.ended).code).toBe(0)
    expect(performance.now() - began).toBeLessThan(3000)
    await says(page, 'has stopped')
    expect(await page.locator('h1').innerText()).toContain('household')
    await serve(Number(port))
    await versionIs(page, before)
    expect(await bar(page)).not.toContain('has stopped')
    await page.close()
  }, 60_000)

  it('survives the loss of the run', async () => {
    rmSync(join(folder, 'plan.json'))
    expect((await ask('/')).status).toBe(200)
    for (let tries = 0; tries < 200; tries++) {
      if ((await ask('/state')).text.includes('not refreshed')) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await ask('/state')).text).toContain('not refreshed: Expected a run folder with a plan.json')
    expect(existsSync(join(folder, 'report'))).toBe(false)
  })
})
