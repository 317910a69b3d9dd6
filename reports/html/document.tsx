import { createHash } from 'node:crypto'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { visibleText } from './visible.js'

/** The parts of a page. */
interface PageParts {
  readonly title: string
  readonly body: ComponentChildren
  readonly style: string
  /** Runs after everything else is read. */
  readonly script: string
  /** Texts in base64, which the script reads by their ids. */
  readonly blocks: Readonly<Record<string, string>>
}

/** The page as HTML. No invisible character is left in its text, its title and its attributes. */
export function pageDocument({ title, body, style, script, blocks }: PageParts): string {
  const head = (
    <>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy(style, script)} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <link rel="icon" href="data:," />
      <title>{title}</title>
    </>
  )
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n',
    `${visibleText(renderToString(head))}\n<style>${style}</style>\n</head>\n<body>\n`,
    `${visibleText(renderToString(<>{body}</>))}\n`,
    ...Object.entries(blocks).map(([id, text]) => `<script type="application/json" id="${id}">"${text}"</script>\n`),
    `<script>${script}</script>\n</body>\n</html>\n`,
  ].join('')
}

/**
 * The page's Content-Security-Policy: it allows only the style and the script, by their hashes, and pictures that are
 * in the page itself.
 */
function contentSecurityPolicy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
