import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { messageOf, ShaketableError } from 'shaketable'

const cached = new Map<string, string>()

/**
 * The page's script: the compiled modules of page/, joined. `live` is what a page has besides while it is served.
 * @throws ShaketableError `bad-input` if the package is not built.
 */
export function pageScript(entry: 'main' | 'live' = 'main'): string {
  const known = cached.get(entry)
  if (known !== undefined) return known
  const root = dirname(createRequire(import.meta.url).resolve('shaketable/package.json'))
  const folder = join(root, 'dist', 'reports', 'html', 'page')
  const script = joinModules(join(folder, `${entry}.js`), (path) => {
    try {
      return readFileSync(path, 'utf8')
    } catch (thrown) {
      throw new ShaketableError(
        'bad-input',
        `Expected the compiled script of report.html in ${folder}: ${messageOf(thrown)}. Run \`npm run build\`, or install the package again.`,
        { cause: thrown },
      )
    }
  })
  cached.set(entry, script)
  return script
}

const importLine = /^import \{ \w+(?:, \w+)* \} from '(\.[\w./-]+)';$/gm
const declaration = /^(?:(?:async )?function\*?|const|let|class) (\w+)/gm
const exportWord = /^export (?=(?:async )?function\*? |const |class )/gm

/**
 * Joins modules into one classic script, each after those that it imports. Since it edits their text, they may only use
 * named imports of each other and exports at declarations, and no two may declare the same top-level name.
 * @throws ShaketableError `bad-input` for a module that breaks these rules.
 */
export function joinModules(entry: string, read: (path: string) => string): string {
  const joined = new Set<string>()
  const declared = new Map<string, string>()
  const parts: string[] = []
  const visit = (path: string): void => {
    if (joined.has(path)) return
    joined.add(path)
    const text = read(path)
    for (const [, imported] of text.matchAll(importLine)) visit(join(dirname(path), imported!))
    const part = text
      .replace(importLine, '')
      .replace(exportWord, '')
      .replace(/^export \{\};$/gm, '')
    const unsupported = /^(?:import|export)\b.*|<\/script/im.exec(part)
    if (unsupported !== null) {
      throw new ShaketableError(
        'bad-input',
        `${path}: expected named imports and exports only, got '${unsupported[0]}'.`,
      )
    }
    for (const [, name] of part.matchAll(declaration)) {
      const other = declared.get(name!)
      if (other !== undefined) {
        throw new ShaketableError(
          'bad-input',
          `Expected different top-level names in ${other} and ${path}, but both declare ${name!}. Rename one.`,
        )
      }
      declared.set(name!, path)
    }
    parts.push(part.trim())
  }
  visit(entry)
  return `'use strict'\n{\n${parts.filter((part) => part !== '').join('\n')}\n}`
}
