import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WrittenPage } from './_browser.js'
import { chromiumPath, launchBrowser, millisecondsToReady, openPage, takePicture, writePage } from './_browser.js'
import { largeRun } from './_runs.js'

const maxMilliseconds = 2000

describe.skipIf(chromiumPath === undefined)('a large page in a browser (skipped where Chromium is missing)', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())

  describe('of 10,000 episodes', () => {
    let written: WrittenPage
    beforeAll(() => {
      written = writePage(largeRun(200))
    }, 120_000)
    afterAll(() => written.remove())

    it('is one file, and opens in less than two seconds', { retry: 1 }, async () => {
      expect(written.files).toEqual(['report.html'])
      const { page, problems } = await openPage(browser, written)
      expect(await page.locator('#episode-list output').innerText()).toBe('10,000 of 10,000 episodes')
      const milliseconds = await millisecondsToReady(page)
      await page.close()
      expect(problems).toEqual([])
      expect(milliseconds).toBeLessThan(maxMilliseconds)
    })

    it('filters, sorts and opens its last episode', async () => {
      const { page, problems } = await openPage(browser, written)
      const list = page.locator('#episode-list')
      await list.getByLabel('Change').selectOption('lost')
      expect(await list.locator('output').innerText()).toBe('4,000 of 10,000 episodes')
      await list.locator('th', { hasText: 'Task' }).getByRole('button').click()
      await list.locator('th', { hasText: 'Task' }).getByRole('button').click()
      await list.locator('tbody a').first().click()
      await page.locator('.steps > li').nth(10).waitFor()
      expect(await page.locator('#viewer h2').innerText()).toBe('task-199')
      expect(await page.locator('.side').count()).toBe(2)
      expect(problems).toEqual([])
      await page.close()
    })
  })

  describe('of more', () => {
    let written: WrittenPage
    beforeAll(() => {
      written = writePage(largeRun(201))
    }, 120_000)
    afterAll(() => written.remove())

    /** Opens the first episode of the list, and returns the text of its view. */
    const openFirst = async (folder: WrittenPage) => {
      const { page, problems } = await openPage(browser, folder)
      await page.locator('#episode-list tbody a').first().click()
      await page.locator('.steps, #viewer .warning').waitFor()
      const text = await page.locator('#viewer').innerText()
      return { page, problems, text }
    }

    it('has trajectories in files beside it, and opens them without a server', async () => {
      expect(written.files.length).toBeGreaterThan(2)
      expect(written.files.at(-1)).toBe('report.html')
      const { page, problems, text } = await openFirst(written)
      expect(text).toContain('task-0')
      expect(await page.locator('.steps > li').count()).toBeGreaterThan(5)
      await page.keyboard.press('Escape')
      await page.locator('#episode-list th', { hasText: 'Task' }).getByRole('button').click()
      await page.locator('#episode-list th', { hasText: 'Task' }).getByRole('button').click()
      await page.locator('#episode-list tbody a').first().click()
      await page.locator('.steps > li').nth(5).waitFor()
      expect(await page.locator('#viewer h2').innerText()).toBe('task-200')
      await takePicture(page, 'side-files')
      expect(problems).toEqual([])
      expect(await millisecondsToReady(page)).toBeLessThan(maxMilliseconds)
      await page.close()
    })

    it.each([
      [
        'is missing',
        (path: string) => rmSync(path),
        'but it cannot be read. Copy the whole folder, or make the report again.',
      ],
      [
        'is of another report',
        (path: string) =>
          writeFileSync(path, readFileSync(path, 'utf8').replace(/"[0-9a-f]{16}"/, '"0123456789abcdef"')),
        'but it belongs to another report.',
      ],
    ])('reports a file that %s', async (_, spoil, message) => {
      const path = join(written.folder, 'report-episodes-0001.js')
      const original = readFileSync(path)
      spoil(path)
      const { page, text } = await openFirst(written)
      expect(text).toContain(`Expected report-episodes-0001.js beside this page, ${message}`)
      writeFileSync(path, original)
      await page.keyboard.press('Escape')
      await page.locator('#episode-list tbody a').first().click()
      await page.locator('.steps').waitFor()
      await page.close()
    })

    it('runs no other script beside them', async () => {
      const { page } = await openPage(browser, written)
      const added = await page.evaluate<string>(`(() => {
        const script = document.createElement('script')
        try { script.src = 'other.js'; return 'added' } catch (error) { return error.name }
      })()`)
      expect(added).toBe('TypeError')
      await page.close()
    })
  })
})
