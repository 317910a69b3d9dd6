import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Page, pages, readPage, root } from './_pages.js'

/** What is wrong with a link; undefined if nothing is. */
function problemOf(page: Page, target: string): string | undefined {
  if (URL.canParse(target)) return target.startsWith('https://') ? undefined : 'expected an https address'
  const [path = '', anchor] = target.split('#')
  const file = targetOf(page, path)
  const found = pages.find((other) => other.file === file)
  if (path.startsWith('/') || file.startsWith('..') || (found === undefined && !existsSync(posix.join(root, file))))
    return 'there is no such file in the repository'
  return anchor === undefined || found?.anchors.has(anchor) ? undefined : 'there is no such heading'
}

function targetOf(page: Page, path: string): string {
  return path === '' ? page.file : posix.join(posix.dirname(page.file), path)
}

describe('the pages', () => {
  it('have links that lead somewhere', () => {
    const problems = pages.flatMap((page) =>
      page.links.map(({ target, line }) => [`${page.file}:${String(line)}: ${target}`, problemOf(page, target)]),
    )
    expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([])
    expect(pages.flatMap(({ links }) => links).length).toBeGreaterThan(100)
  })

  it('are all linked from another page', () => {
    const linked = new Set(
      pages.flatMap((page) =>
        page.links.map(({ target }) => targetOf(page, target.split('#')[0]!)).filter((file) => file !== page.file),
      ),
    )
    const start = ['README.md', 'CHANGELOG.md']
    expect(pages.map(({ file }) => file).filter((file) => !linked.has(file) && !start.includes(file))).toEqual([])
  })
})

describe('docs/index.md', () => {
  it('lists every page, each once as the first link of an item, so that the site has it in its sidebar', () => {
    const text = pages.find(({ file }) => file === 'docs/index.md')!.text
    const listed = [...text.matchAll(/^- \[.+?\]\(([^)#]+)/gm)].map(([, target]) => posix.join('docs', target!))
    const wanted = pages.map(({ file }) => file).filter((file) => !/^docs\/index\.md/.test(file))
    expect(listed.sort()).toEqual(wanted.sort())
  })
})

describe('llms.txt', () => {
  it('lists the pages as docs/index.md does', () => {
    const itemsOf = (page: Page, at: string): string[] =>
      page.text
        .match(/^- .*$/gm)!
        .map((line) => line.replace(/\((.*?)\)/, (_, to: string) => `(${posix.join(at, to)})`))
    const index = pages.find(({ file }) => file === 'docs/index.md')!
    const llms = readPage('llms.txt', readFileSync(posix.join(root, 'llms.txt'), 'utf8'))
    expect(itemsOf(llms, '.')).toEqual(itemsOf(index, 'docs'))
  })
})
