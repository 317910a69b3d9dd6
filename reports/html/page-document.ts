import { createHash } from 'node:crypto'
import type { Markup } from './markup.js'
import { element, trusted } from './markup.js'

/** The parts of a page. */
interface PageParts {
  readonly title: string
  readonly body: readonly Markup[]
  readonly style: string
  readonly script: string
  /** Texts in base64 by id: those that the script needs at once, and those that it reads later. */
  readonly blocks: Readonly<Record<'first' | 'later', readonly { readonly id: string; readonly text: string }[]>>
  /** Whether there are files beside the page. */
  readonly hasFiles: boolean
}

/** The page as HTML. Blocks that are read later come after the script, so that it runs before they are parsed. */
export function pageDocument({ title, body, style, script, blocks, hasFiles }: PageParts): string {
  const block = ({ id, text }: { readonly id: string; readonly text: string }): Markup =>
    element('script', { type: 'application/json', id }, trusted(`"${text}"`))
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n',
    ...[
      element('meta', { charset: 'utf-8' }),
      element('meta', {
        'http-equiv': 'Content-Security-Policy',
        content: contentSecurityPolicy(style, script, hasFiles),
      }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('meta', { name: 'color-scheme', content: 'light dark' }),
      element('meta', { name: 'referrer', content: 'no-referrer' }),
      element('link', { rel: 'icon', href: 'data:,' }),
      element('title', {}, title),
      element('style', {}, trusted(style)),
    ].map(({ markup }) => `${markup}\n`),
    '</head>\n<body>\n',
    ...[...body, ...blocks.first.map(block), element('script', {}, trusted(script)), ...blocks.later.map(block)].map(
      ({ markup }) => `${markup}\n`,
    ),
    '</body>\n</html>\n',
  ].join('')
}

/**
 * The page's Content-Security-Policy: it allows only the style and the script, by their hashes. If episodes are in
 * files, the script may add those as scripts, through a Trusted Types policy that allows no other names.
 */
export function contentSecurityPolicy(style: string, script: string, hasFiles: boolean): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(script)}${hasFiles ? " 'strict-dynamic'" : ''}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${hasFiles ? 'episodes' : "'none'"}`,
  ].join('; ')
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
