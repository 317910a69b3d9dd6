import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Trajectory } from '../../../src/core/episode.js'
import type { StoredRun } from '../../../src/core/report.js'
import { makePlan, makeRow, makeRun } from '../fixture.js'
import type { WrittenPage } from './_browser.js'
import { chromiumPath, launchBrowser, openPage, takePicture, writePage } from './_browser.js'
import { makeStep, refusedStep } from './_spoken-run.js'

const lesson = '<img src=x onerror=alert(1)> Next time take the mug.'

/** Two trials in the clean column, and under a perturbation one more that broke before its first step. */
function trajectoryOf(column: string): Trajectory {
  const refused = refusedStep('take mug 1 from desk 1')
  const first = [makeStep('look', { progress: 0.5 }), refused]
  const last = column === 'none' ? [makeStep('look', { progress: 0.25 })] : [refused]
  const reflection = { reply: lesson }
  const ended = { outcome: 'step-limit' as const, reflection }
  return {
    prompt: [{ role: 'user', content: 'Play.' }],
    opening: { observation: 'A room.' },
    steps: [...first, ...last],
    trials: [
      { from: 0, seed: 1, progress: 0.5, ...ended },
      {
        from: 2,
        seed: 77,
        progress: 0.25,
        outcome: 'step-limit',
        ...(column !== 'none' && { reflection: { ...reflection, fault: 'length' } }),
      },
      ...(column === 'none' ? [] : [{ from: 3, seed: 78, progress: 0, outcome: 'context-overflow' as const }]),
    ],
  }
}

function run(): StoredRun {
  const plan = makePlan({
    environments: [{ name: 'household', tasks: 1 }],
    columns: ['none', 'agentrefine-1'],
    agents: ['reflexion'],
    ...{ models: ['m'], temperatures: [1], seeds: [1] },
  })
  const columns = new Map<string, string>()
  const made = makeRun(plan, (at) => {
    columns.set(at.key, at.column)
    const trials = trajectoryOf(at.column).trials!.map(({ progress }) => progress)
    return { ...makeRow(at, 'step-limit', trials.at(-1)!, { steps: 3 }), trials }
  })
  return { ...made, trajectories: (keys) => new Map(keys.map((key) => [key, trajectoryOf(columns.get(key)!)])) }
}

describe.skipIf(chromiumPath === undefined)('trials on the page (skipped where Chromium is missing)', () => {
  let browser: Browser
  let written: WrittenPage
  beforeAll(async () => {
    browser = await launchBrowser()
    written = writePage(run())
  })
  afterAll(async () => {
    await browser.close()
    written.remove()
  })

  it('stand apart, with what was noted after each as plain text', async () => {
    const { page, problems } = await openPage(browser, written, '#episodes')
    await page.locator('#episode-list tbody a').last().click()
    await page.locator('.steps').waitFor()
    const texts = (selector: string): Promise<string[]> => page.locator(selector).allInnerTexts()
    expect((await texts('.trial')).sort()).toEqual(['Trial 1', 'Trial 1', 'Trial 2', 'Trial 2', 'Trial 3'])
    expect(await texts('.reflection')).toEqual([lesson, lesson, lesson])
    const ends = await texts('.trial-end > .facts:first-child')
    expect(ends.filter((text) => text === 'Trial 1 ended: step-limit, progress 50 %')).toHaveLength(2)
    expect(ends).toContain('Trial 3 ended: context-overflow, progress 0 %')
    expect((await texts('.side .facts')).join()).toContain('3 trials')
    expect(await texts('.trial-end .facts')).toContain('no whole reply: cut off at the limit of tokens')
    expect((await texts('.repeated')).length).toBe(0)
    expect(await texts('.gain')).toEqual([
      'progress 50 %',
      'progress 50 %',
      'progress 0 %',
      'progress 0 %',
      'progress 25 %',
    ])
    expect(problems).toEqual([])
    await takePicture(page, 'trials', true)
    await page.close()
  })
})
