import { readFileSync } from 'node:fs'
import { messageOf, ShaketableError } from '../../src/define.js'
import { packagedPath } from '../../src/files/packaged.js'

const cached = new Map<string, string>()

/**
 * The page's script: the modules of page/, joined by the build. `live` is what a page has besides while it is served.
 * @throws ShaketableError `bad-input` if the package is not built.
 */
export function pageScript(entry: 'main' | 'live' = 'main'): string {
  const known = cached.get(entry)
  if (known !== undefined) return known
  const path = packagedPath(`dist/bundle/page-${entry}.js`)
  try {
    const script = readFileSync(path, 'utf8')
    cached.set(entry, script)
    return script
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `Expected the compiled script of report.html at ${path}: ${messageOf(thrown)}. Run \`npm run build\`, or install the package again.`,
      { cause: thrown },
    )
  }
}
