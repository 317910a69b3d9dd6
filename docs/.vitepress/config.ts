import { existsSync, readFileSync } from 'node:fs'
import { posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme, MarkdownOptions } from 'vitepress'
import { defineConfig } from 'vitepress'
import { slugOf } from './slug.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Where a page of the repository stands in the site: `docs/models.md` is `models.md`, a README the index of its folder.
 */
function placeOf(source: string): string {
  if (source === 'README.md') return 'about.md'
  return source
    .replace(/^docs\//, '')
    .replace('README.md', 'index.md')
    .replace('CHANGELOG', 'changelog')
}

/** Groups and pages as docs/index.md lists them: a group a heading, a page the first link of an item. */
function readSidebar(): DefaultTheme.SidebarItem[] {
  const text = readFileSync(posix.join(root, 'docs/index.md'), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      items: [...section.matchAll(/^- \[(.+?)\]\(([^)#]+)/gm)].map(([, title, target]) => ({
        text: title!,
        link: `/${placeOf(posix.join('docs', target!))
          .replace(/\.md$/, '')
          .replace(/(^|\/)index$/, '$1')}`,
      })),
    }))
}

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]

/** Links between pages lead to their places in the site; links to other files of the repository become plain text. */
function placeLinks(markdown: Markdown): void {
  markdown.core.ruler.push('place-links', ({ tokens, env }) => {
    const { path: file, realPath = file } = env as { readonly path: string; readonly realPath?: string }
    const page = relative(root, realPath)
    for (const { children } of tokens) {
      const open: typeof tokens = []
      for (const token of children ?? []) {
        if (token.type === 'link_close' && open.pop()?.tag === 'span') token.tag = 'span'
        if (token.type !== 'link_open') continue
        open.push(token)
        const href = token.attrGet('href')!
        if (/^([a-z]+:|#)/.test(href)) continue
        const [path = '', anchor] = href.split('#')
        const target = posix.join(posix.dirname(page), path)
        if (target.endsWith('.md')) {
          token.attrSet('href', `/${placeOf(target)}${anchor === undefined ? '' : `#${anchor}`}`)
        } else if (existsSync(posix.join(root, target))) {
          token.tag = 'span'
          token.attrs = []
        }
      }
    }
  })
}

/** A fenced block that is a file, such as `yaml [ci.yaml]`, has its name above it. */
function nameFiles(markdown: Markdown): void {
  const render = markdown.renderer.rules.fence!
  markdown.renderer.rules.fence = (...args) => {
    const [tokens, index] = args
    const name = /\[(.+)\]/.exec(tokens[index]!.info)?.[1]
    const block = render(...args)
    return name === undefined ? block : `<div class="file-name">${markdown.utils.escapeHtml(name)}</div>${block}`
  }
}

/** The documentation as a site without anything from a network: `npm run docs` writes it to docs-site/. */
export default defineConfig({
  title: 'shaketable',
  description: 'A robustness perturbation testbed for LLM agents.',
  srcDir: '..',
  // The second pattern: the first takes `docs-site` for a part of `docs`.
  srcExclude: ['!(docs|experiments)/**/*.md', 'docs-site/**'],
  outDir: '../docs-site',
  cacheDir: '../.tmp/vitepress',
  base: process.env['DOCS_BASE'] ?? '/',
  rewrites: placeOf,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    html: false,
    anchor: { slugify: slugOf },
    config(markdown) {
      placeLinks(markdown)
      nameFiles(markdown)
    },
  },
  themeConfig: {
    nav: [
      { text: 'Pages', link: '/' },
      { text: 'Programming interface', link: '/api/index.html', target: '_self' },
      { text: 'Changes', link: '/changelog' },
    ],
    sidebar: readSidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
