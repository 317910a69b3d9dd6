import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { messageOf, ShaketableError } from 'shaketable'

let made: string | undefined

/**
 * The page's script: the built modules of page/, joined.
 * @throws ShaketableError `bad-input` where the package was not built.
 */
export function pageScript(): string {
  const root = dirname(createRequire(import.meta.url).resolve('shaketable/package.json'))
  const folder = join(root, 'dist', 'reports', 'html', 'page')
  made ??= joinModules(join(folder, 'main.js'), (path) => {
    try {
      return readFileSync(path, 'utf8')
    } catch (thrown) {
      throw new ShaketableError(
        'bad-input',
        `Expected the script of report.html, built, in ${folder}: ${messageOf(thrown)}. Run \`npm run build\`, or install the package again.`,
        { cause: thrown },
      )
    }
  })
  return made
}

const importLine = /^import \{ \w+(?:, \w+)* \} from '(\.[\w./-]+)';$/gm
const declaration = /^(?:(?:async )?function\*?|const|let|class) (\w+)/gm
const exportWord = /^export (?=(?:async )?function\*? |const |class )/gm

/**
 * Joins modules into one classic script, each after those that it imports. It does so by their text, which is why they
 * may only use named imports of each other and exports where things are declared, and why no two may declare the same
 * name at their top.
 * @throws ShaketableError `bad-input` for a module that is written otherwise.
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
    const strange = /^(?:import|export)\b.*|<\/script/im.exec(part)
    if (strange !== null) {
      throw new ShaketableError('bad-input', `${path}: expected named imports and exports only, got '${strange[0]}'.`)
    }
    for (const [, name] of part.matchAll(declaration)) {
      const other = declared.get(name!)
      if (other !== undefined) {
        throw new ShaketableError(
          'bad-input',
          `Expected names of their own in ${other} and ${path}, but both declare ${name!}.`,
        )
      }
      declared.set(name!, path)
    }
    parts.push(part.trim())
  }
  visit(entry)
  return `'use strict'\n{\n${parts.filter((part) => part !== '').join('\n')}\n}`
}
