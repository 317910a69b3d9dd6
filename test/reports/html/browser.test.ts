import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlan } from '../fixture.js'
import type { OpenedPage, WrittenPage } from './_browser.js'
import { chromiumPath, launchBrowser, openPage, takePicture, writePage } from './_browser.js'
import { runWithTrajectories } from './_runs.js'

describe.skipIf(chromiumPath === undefined)('the page in a browser (skipped where Chromium is missing)', () => {
  let browser: Browser
  let written: WrittenPage

  beforeAll(async () => {
    browser = await launchBrowser()
    written = writePage(runWithTrajectories(makePlan({ environments: [{ name: 'household', tasks: 12 }] })))
  })
  afterAll(async () => {
    await browser.close()
    written.remove()
  })

  /** Opens the page, runs a test on it, and expects no problems. */
  const visit = async (hash: string, test: (page: Page) => Promise<void>, folder = written): Promise<void> => {
    const { page, problems }: OpenedPage = await openPage(browser, folder, hash)
    try {
      await test(page)
      expect(problems).toEqual([])
    } finally {
      await page.close()
    }
  }
  const texts = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allInnerTexts()

  it('shows broken episodes, with an empty console and no request', () =>
    visit('', async (page) => {
      expect(await page.title()).toBe('Robustness of reader and parrot on household · shaketable')
      expect(await page.locator('.card.worse').innerText()).toContain(
        'Significantly worse under agentrefine-1: −100.0 points',
      )
      expect(await page.locator('.card.worse').innerText()).toContain(
        '100 % of refused actions are in the old wording.',
      )
      const widths = "[...document.querySelectorAll('figure img')].map(({ naturalWidth }) => naturalWidth)"
      await expect.poll(() => page.evaluate<number[]>(widths)).toEqual([456, 456, 456])
      await takePicture(page, 'overview')
      await takePicture(page, 'whole', true)
    }))

  it('opens an episode beside its clean twin, with the first difference, refusals and memorised wording marked', () =>
    visit('#episodes?model=parrot&change=lost', async (page) => {
      await page.locator('#episode-list tbody a').first().click()
      await page.locator('.steps').waitFor()
      expect(await page.locator('#page').isVisible()).toBe(false)
      expect(await texts(page, '.side h3')).toEqual(['none success', 'agentrefine-1 step limit'])
      const rows = page.locator('.steps > li')
      expect(await rows.count()).toBe(4)
      expect(await rows.nth(1).getAttribute('class')).toBe('sides pair')
      expect(await rows.nth(2).getAttribute('id')).toBe('first-difference')
      expect(await rows.nth(2).innerText()).toContain('First difference')
      expect(await texts(page, '#first-difference .action')).toEqual([
        'take mug 1 from desk 1',
        'take mug 1 from desk 1',
      ])
      expect(await rows.nth(2).locator('.marks').innerText()).toContain(
        'memorised wording: refused here, understood in the clean twin',
      )
      expect(await rows.nth(3).innerText()).toContain('repeated after it was refused')
      expect(await rows.nth(2).innerText()).toContain('progress 100 %')
      const thought = rows.nth(1).locator('details').first()
      expect(await thought.locator('.text').isVisible()).toBe(false)
      await thought.locator('summary').click()
      expect(await thought.locator('.text').innerText()).toBe('Thought: I look first.\nAction: look')
      await takePicture(page, 'episode', true)
    }))
  it.each(['dark', 'light'] as const)('has readable contrast in %s mode', async (colorScheme) => {
    const { page, problems } = await openPage(browser, written, '', { colorScheme })
    const pairs = await page.evaluate<[string, string][]>(readColours)
    expect(pairs.length).toBeGreaterThan(50)
    for (const [ink, paper] of pairs) expect(contrast(ink, paper), `${ink} on ${paper}`).toBeGreaterThanOrEqual(4.5)
    await takePicture(page, colorScheme, true)
    expect(problems).toEqual([])
    await page.close()
  })
})

/** Colours of text and background of every visible element with text of its own. Charts have their own test. */
const readColours = `(() => {
  const backgroundOf = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one)
      if (!/, 0\\)$|transparent/.test(backgroundColor)) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.closest('svg, script, button:disabled') === null && element.checkVisibility())
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .map((element) => [getComputedStyle(element).color, backgroundOf(element)])
})()`

/** Contrast ratio of WCAG 2.1. */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(colour: string): number {
  const full = colour.startsWith('color(') ? 1 : 255
  const [red, green, blue] = colour
    .match(/[\d.]+/g)!
    .slice(0, 3)
    .map((part) => {
      const share = Number(part) / full
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
