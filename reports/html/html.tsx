import { type StoredRun, defineReport, messageOf, ShaketableError } from '../../src/define.js'
import { chartsOf } from '../charts/charts-of.js'
import { aggregateOf } from '../tables/define-report.js'
import { listEpisodes } from './list-episodes.js'
import { pack, packEpisodes, packIndex } from './pack.js'
import { headingOf, pageBody } from './sections.js'
import { pageStyle } from './style.js'
import { readFileSync } from 'node:fs'
import { packagedPath } from '../../src/files/packaged.js'
import { createHash } from 'node:crypto'
import { renderToString } from 'preact-render-to-string'
import { visibleText, wellFormed } from './visible.js'

/**
 * A page with an overview (what broke, with what certainty, and why), charts, and each episode beside its clean
 * twin. It is one file that needs no network.
 */
export default defineReport({
  name: 'html',
  summary: 'a page with an overview, charts and every episode beside its clean twin',
  source: 'shaketable',
  render: (run) => [{ file: 'report.html', text: renderPage(run) }],
})

/** The page as HTML. No invisible character is left in its text, its title and its attributes. */
function renderPage(run: StoredRun): string {
  const aggregate = aggregateOf(run)
  const list = listEpisodes(run)
  const { chunks, withTrajectory } = packEpisodes(list.episodes, run)
  const charts = chartsOf(aggregate)
  const sizes = chunks.map(({ episodes }) => episodes)
  // Addresses have no lone surrogates.
  const index = JSON.stringify(packIndex(run.plan, list.episodes, sizes), (_, value: unknown) =>
    typeof value === 'string' ? wellFormed(value) : value,
  )
  const script = pageScript()
  const head = (
    <>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy(pageStyle, script)} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <link rel="icon" href="data:," />
      <title>{`${headingOf(aggregate)} · shaketable`}</title>
    </>
  )
  const body = pageBody({ aggregate, run, list, withTrajectory, charts })
  const block = (id: string, text: string): string => `<script type="application/json" id="${id}">"${text}"</script>\n`
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n',
    `${visibleText(renderToString(head))}\n<style>${pageStyle}</style>\n</head>\n<body>\n`,
    `${visibleText(renderToString(body))}\n`,
    block('index', pack(index)),
    block('drawings', pack(JSON.stringify(Object.fromEntries(charts.map(({ file, svg }) => [file, svg]))))),
    ...chunks.map(({ text }, chunk) => block(`chunk-${String(chunk)}`, text)),
    `<script>${script}</script>\n</body>\n</html>\n`,
  ].join('')
}

/**
 * The page's script: the modules of page/, joined by the build.
 * @throws ShaketableError `bad-input` if the package is not built.
 */
export function pageScript(): string {
  const path = packagedPath('dist/bundle/page-main.js')
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `Expected the compiled script of report.html at ${path}: ${messageOf(thrown)}. Run \`npm run build\`, or install the package again.`,
      { cause: thrown },
    )
  }
}

/**
 * The page's Content-Security-Policy: it allows only the style and the script, by their hashes, and pictures that are
 * in the page itself.
 */
function contentSecurityPolicy(style: string, script: string): string {
  const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    `default-src 'none'; style-src ${sourceOf(style)}; script-src ${sourceOf(script)}; img-src data:`,
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; ')
}
