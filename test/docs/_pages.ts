import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { slugOf } from '../../docs/.vitepress/slug.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A fenced block of a page: `yaml [experiment.yaml]` has the language `yaml` and the name `experiment.yaml`. */
export interface Block {
  readonly language: string
  readonly words: readonly string[]
  readonly name: string | undefined
  readonly text: string
  /** The line of its first line of text, from 1. */
  readonly line: number
}

export interface Page {
  /** The path from the root of the repository, with slashes. */
  readonly file: string
  readonly text: string
  readonly blocks: readonly Block[]
  readonly links: readonly { readonly target: string; readonly line: number }[]
  readonly anchors: ReadonlySet<string>
}

/** Reads a page of GitHub-flavoured Markdown. @throws Error for a fence that is not closed */
export function readPage(file: string, text = readFileSync(join(root, file), 'utf8')): Page {
  const blocks: Block[] = []
  const links: { readonly target: string; readonly line: number }[] = []
  const anchors = new Set<string>()
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const fence = /^( *)(`{3,}|~{3,})(.*)$/.exec(line)
    if (fence !== null) {
      const [, indent, marks, info] = fence
      const end = lines.findIndex((other, number) => number > at && other.trim() === marks)
      if (end === -1) throw new Error(`${file}:${String(at + 1)}: the block is not closed`)
      const inside = lines
        .slice(at + 1, end)
        .map((other) => (other.startsWith(indent!) ? other.slice(indent!.length) : other))
      const [language = '', ...words] = info!
        .replace(/\[.*\]/, '')
        .trim()
        .split(/\s+/)
      blocks.push({ language, words, name: /\[(.+)\]/.exec(info!)?.[1], text: inside.join('\n'), line: at + 2 })
      at = end
      continue
    }
    const heading = /^#{1,6} +(.*?)( #+)?$/.exec(line)?.[1]
    if (heading !== undefined) {
      const slug = slugOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, ''))
      let anchor = slug
      for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${String(count)}`
      anchors.add(anchor)
    }
    const prose = line.replace(/(`+)(?:(?!\1).)*\1/g, (code) => 'x'.repeat(code.length))
    for (const [, inline, reference] of prose.matchAll(/\]\(([^)\s]*)(?: "[^"]*")?\)|^ *\[[^\]]+\]: +(\S+)/g)) {
      links.push({ target: inline ?? reference!, line: at + 1 })
    }
  }
  return { file, text, blocks, links, anchors }
}

/** Every page of the repository that people read: README.md first. */
export const pages: readonly Page[] = [
  'README.md',
  'CHANGELOG.md',
  'experiments/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort(),
].map((file) => readPage(file))
