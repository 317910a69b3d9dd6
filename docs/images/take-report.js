/*
 * Takes docs/images/report.png: a run's report.html down to its table of models by families, as large as fits into 250
 * kB. `npm run images` replays the language models first; `node docs/images/take-report.js RUN` takes another run's.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const maxBytes = 250_000
const run = process.argv[2] ?? 'runs/language-models'
const target = fileURLToPath(new URL('report.png', import.meta.url))

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  for (const deviceScaleFactor of [2, 1.5, 1.25, 1]) {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 1200 },
      deviceScaleFactor,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    await page.goto(pathToFileURL(join(run, 'report/report.html')).href)
    const isReady = "performance.getEntriesByName('shaketable-ready').length > 0"
    while (!(await page.evaluate(isReady))) await page.waitForTimeout(50)
    const table = await page.locator('table').first().boundingBox()
    const height = Math.ceil((table?.y ?? 800) + (table?.height ?? 0) + 6)
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 1280, height } })
    await page.close()
    if (picture.length > maxBytes) continue
    writeFileSync(target, picture)
    console.log(`${target}: ${String(Math.round(picture.length / 1000))} kB at scale ${String(deviceScaleFactor)}`)
    break
  }
} finally {
  await browser.close()
}
