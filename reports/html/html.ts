import type { StoredRun } from '../../src/define.js'
import { defineReport } from '../../src/define.js'
import { aggregateOf } from '../tables/define-report.js'
import { listEpisodes } from './episodes/list-episodes.js'
import { isSideFile, pack, packChunks, packIndex, placeChunks } from './episodes/pack.js'
import { copiesAlone, copiesOf } from './copies.js'
import { fittingCharts, fittingTables } from './fitting.js'
import { headingOf, pageBody } from './page-body.js'
import { pageDocument } from './page-document.js'
import { pageScript } from './page-script.js'
import { copiedTables, pageSections } from './page-sections.js'
import { pageStyle } from './style.js'
import { thoughtsOn } from './thoughts.js'

/**
 * A page with an overview (what broke, with what certainty, and why), every table and chart, and each episode beside
 * its clean twin. It is one file that needs no network; the episodes of a large run are in files beside it.
 */
export default defineReport({
  name: 'html',
  summary: 'a page with an overview, tables, charts and every episode beside its clean twin',
  source: 'shaketable',
  isLeftover: isSideFile,
  render: renderPage,
})

function* renderPage(run: StoredRun): Iterable<{ readonly file: string; readonly text: string }> {
  const script = pageScript()
  const aggregate = aggregateOf(run)
  const list = listEpisodes(run)
  const { episodes } = list
  const placed = yield* placeChunks(packChunks(episodes, run), episodes.length)
  const shown = { charts: fittingCharts(aggregate), tables: fittingTables(aggregate, run.published) }
  const thoughts = thoughtsOn(aggregate, run, list)
  const copies = {
    ...copiesOf(aggregate, run.published, shown.tables.shown, Object.values(copiedTables)),
    ...copiesAlone(aggregate, thoughts?.tables ?? []),
  }
  const index = packIndex(run.plan, episodes, placed.episodes, placed.files)
  yield {
    file: 'report.html',
    text: pageDocument({
      title: `${headingOf(aggregate)} · shaketable`,
      body: pageBody(aggregate, pageSections(aggregate, run, list, { ...shown, thoughts })),
      style: pageStyle,
      script,
      blocks: {
        first: [{ id: 'index', text: pack(JSON.stringify(index)) }],
        later: [
          { id: 'copies', text: pack(JSON.stringify(copies)) },
          ...placed.inline.map((text, chunk) => ({ id: `chunk-${String(chunk)}`, text })),
        ],
      },
      hasFiles: placed.files !== undefined,
    }),
  }
}
