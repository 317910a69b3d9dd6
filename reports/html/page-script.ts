import { readFileSync } from 'node:fs'
import { messageOf, ShaketableError } from '../../src/define.js'
import { packagedPath } from '../../src/files/packaged.js'

let cached: string | undefined

/**
 * The page's script: the modules of page/, joined by the build.
 * @throws ShaketableError `bad-input` if the package is not built.
 */
export function pageScript(): string {
  if (cached !== undefined) return cached
  const path = packagedPath('dist/bundle/page-main.js')
  try {
    return (cached = readFileSync(path, 'utf8'))
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `Expected the compiled script of report.html at ${path}: ${messageOf(thrown)}. Run \`npm run build\`, or install the package again.`,
      { cause: thrown },
    )
  }
}
