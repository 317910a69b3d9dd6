import { readFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** Why a test is skipped, by the condition in the `skipIf` of its file. */
const reasons: Readonly<Record<string, string>> = {
  sharedData: '../shared/data is not here',
  chromiumPath: 'Chromium is not here (set CHROMIUM_PATH)',
  hasLatex: 'pdflatex is not here',
  hasFrotz: 'inform or dfrotz is not here',
  hasRedis: 'redis-server is not here',
  hasEngine: "ScienceWorld's engine is not here ($SCIENCEWORLD_JAR)",
  'process.getuid': 'root may write everywhere',
  'process.platform': 'not for this operating system',
}

/**
 * Prints above the summary how many tests were skipped for each reason; one under `it.skip` has the reason in its
 * name.
 */
export const skippedTests: Reporter = {
  onTestRunEnd(modules) {
    const counts = new Map<string, number>()
    for (const module of modules) {
      if (module.project.config.testNamePattern !== undefined) return
      const text = readFileSync(module.moduleId, 'utf8')
      for (const { name, fullName } of module.children.allTests('skipped')) {
        const at = text.indexOf(name)
        const reason = reasonIn(at === -1 ? text : text.slice(0, at)) ?? fullName
        counts.set(reason, (counts.get(reason) ?? 0) + 1)
      }
    }
    for (const [reason, count] of counts)
      console.log(`${String(count)} ${count === 1 ? 'test' : 'tests'} skipped: ${reason}`)
  },
}

/** The reason for the last condition in the text of a test file up to a test. */
function reasonIn(text: string): string | undefined {
  const conditions = [...text.matchAll(/skipIf\(!?([\w.]+)/g)].map(([, words]) => words!)
  const condition = conditions.findLast((words) => Object.hasOwn(reasons, words))
  return condition === undefined ? undefined : reasons[condition]
}
