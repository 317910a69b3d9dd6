import { chartStyle } from '../charts/palette.js'

/** Colours, type and layout of the page. */
const baseStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f7f8f9; --ink: #1b1f24; --muted: #5b6470; --line: #dfe2e6; --faint: #eef0f2;
  --link: #0b5c99; --worse: #a83c00; --better: #0b5c99; --steady: #2f6b4a; --unclear: #6b5a00; --mark: #fff1c2;
  --worse-soft: #fdeee6; --steady-soft: #e9f4ee; --unclear-soft: #f8f3dd; --better-soft: #e6f1fa;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --raised: #1c2025; --ink: #e8eaed; --muted: #a3abb5; --line: #333a42; --faint: #23282e;
    --link: #7cbcf0; --worse: #ff9d6b; --better: #7cbcf0; --steady: #84cfa3; --unclear: #dcc76a; --mark: #4a3f14;
    --worse-soft: #38231a; --steady-soft: #1b2f25; --unclear-soft: #2f2b18; --better-soft: #182a3a;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100% }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif;
}
main, header.top, footer { max-width: 78rem; margin: 0 auto; padding: 0 1.5rem }
header.top { padding-top: 2.5rem }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; letter-spacing: -.01em }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 1rem }
h3 { font-size: 1rem; margin: 0 0 .5rem }
h4 { font-size: 1rem; margin: 0 0 .5rem }
p { margin: 0 0 .5rem; max-width: 75ch }
section { margin: 3rem 0 }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em }
bdi { overflow-wrap: break-word }
.short { white-space: nowrap }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px }
[hidden] { display: none !important }
[tabindex='-1']:focus { outline: none }
.muted { color: var(--muted) }
.number { font-variant-numeric: tabular-nums }
.unseen { font: .85em ui-monospace, monospace; color: var(--worse); border: 1px solid currentColor; border-radius: 3px; padding: 0 .2em }
.skip { position: absolute; left: -999px }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; z-index: 2 }
nav.top { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); margin-top: 1.5rem }
nav.top ul { display: flex; gap: 1.5rem; list-style: none; max-width: 78rem; margin: 0 auto; padding: .6rem 1.5rem; overflow-x: auto }
nav.top a { color: var(--muted); text-decoration: none; white-space: nowrap }
nav.top a:hover { color: var(--ink); text-decoration: underline }
button, select, input {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem;
}
button { cursor: pointer }
button:hover:enabled, select:hover, input:hover { border-color: var(--muted) }
button:disabled { color: var(--muted); opacity: .6; cursor: default }
.warnings { margin: 1.5rem 0 0; padding: .75rem 1rem .75rem 2rem; background: var(--unclear-soft); border-left: 3px solid var(--unclear); border-radius: 0 6px 6px 0 }
.warning { padding: .75rem 1rem; background: var(--worse-soft); border-left: 3px solid var(--worse); overflow-wrap: anywhere }
footer { color: var(--muted); font-size: .85rem; padding-top: 1.5rem; padding-bottom: 3rem; border-top: 1px solid var(--line) }
`

/** Cards of the overview, interval bars, verdicts, charts. */
const overviewStyle = `
.environment { margin-bottom: 2rem }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(21rem, 1fr)); gap: 1.25rem }
.card { border: 1px solid var(--line); border-top: 3px solid var(--line); border-radius: 8px; padding: 1.1rem 1.25rem 1rem; background: var(--paper) }
.card.worse { border-top-color: var(--worse) }
.card.steady { border-top-color: var(--steady) }
.card.better { border-top-color: var(--better) }
.card p { font-size: .9rem }
.headline { display: flex; gap: 2rem; margin: 0 0 .75rem }
.headline div:first-child { flex-shrink: 0 }
.headline dt { font-size: .8rem; color: var(--muted) }
.headline dd { margin: 0; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; letter-spacing: -.02em }
.overall { font-size: 1.05rem; margin-bottom: 1.5rem }
h4 .muted { font-weight: normal; font-size: .85rem }
.summary { color: var(--muted) }
.why { color: var(--muted) }
.forest { width: 100%; table-layout: fixed; border-collapse: collapse; margin-top: .75rem; font-size: .85rem }
.forest caption { text-align: left; color: var(--muted); font-size: .8rem; padding-bottom: .2rem }
.forest th { overflow-wrap: anywhere; font-weight: normal; text-align: left; padding: .1rem .75rem .1rem 0 }
.forest td { padding: .1rem 0 }
.forest th { width: 36% }
.forest td:nth-child(2) { width: 44% }
.forest .bar { width: 100% }
.forest .number { text-align: right; padding-left: .5rem; white-space: nowrap }
.bar { display: block; width: 100%; min-width: 6rem; max-width: 12.5rem; height: auto }
.bar-axis { stroke: var(--line) }
.bar-zero { stroke: var(--muted) }
.bar-interval { stroke: currentColor; stroke-width: 3; stroke-linecap: round; opacity: .45 }
.bar-mean { fill: currentColor }
.bar.worse, .verdict.worse { color: var(--worse) }
.bar.better, .verdict.better { color: var(--better) }
.bar.steady, .verdict.steady { color: var(--steady) }
.bar.unclear, .verdict.unclear, .bar.unknown, .bar.untouched, .verdict.unknown, .verdict.untouched { color: var(--muted) }
.verdict { white-space: nowrap; font-weight: 600 }
.grid .bar { width: 9rem; margin: .25rem 0 }
.interval span { font-size: .8rem; color: var(--muted); white-space: nowrap; font-variant-numeric: tabular-nums }
.charts { columns: 2 30rem; column-gap: 3rem }
.charts figure { margin: 0 0 2.5rem; break-inside: avoid; content-visibility: auto; contain-intrinsic-size: auto 24rem }
.charts .choose { column-span: all }
.charts svg:focus-visible { outline-offset: -2px }
.charts svg { display: block; width: 100%; max-width: 36rem; height: auto }
.tip { position: absolute; z-index: 3; max-width: 20rem; padding: .35rem .6rem; border-radius: 6px; background: var(--ink); color: var(--paper); font-size: .8rem; line-height: 1.35; pointer-events: none }
figcaption { font-size: .85rem; color: var(--muted); margin-top: .5rem }
figcaption p { margin: 0 0 .25rem; max-width: 90ch }
`

/** Tables of figures, their filters, and the list of episodes. */
const tableStyle = `
figure.table { margin: 0 0 2.5rem }
@media screen and (scripting: enabled) { .panels[data-tabs]:not(.chosen) > .panel ~ .panel { display: none } }
.scroll { overflow-x: auto }
.grid { border-collapse: separate; border-spacing: 0; font-size: .875rem; min-width: 100% }
.grid th, .grid td { padding: .3rem .7rem; text-align: left; vertical-align: top; font-weight: normal; border-bottom: 1px solid var(--faint) }
.grid th:first-child, .grid td:first-child { padding-left: 0 }
figure.table .grid tbody th:first-child { position: sticky; left: 0; background: var(--paper) }
.grid .groups th { text-align: left }
.grid .first { padding-left: 1.75rem }
.grid .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.grid thead th { color: var(--muted); font-weight: 600; border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: bottom }
.grid .groups td { border: 0 }
.grid tbody tr:hover { background: var(--raised) }
.grid tbody th { max-width: 20rem }
.grid td:has(.open) { min-width: 18rem; overflow-wrap: anywhere }
.grid .published { font-style: italic }
.choose { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: center; margin-bottom: 1.25rem; grid-column: 1 / -1 }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; border-bottom: 1px solid var(--line); flex: 1 }
.tabs button { border: 0; border-radius: 0; background: none; padding: .35rem 0; color: var(--muted); border-bottom: 2px solid transparent; margin-bottom: -1px }
.tabs button[aria-selected='true'] { color: var(--ink); border-bottom-color: var(--ink) }
.grid td.why { min-width: 15rem; max-width: 34rem; font-size: .85rem }
.grid a.open { color: inherit; text-decoration: none }
.grid tr:hover a.open, .grid a.open:focus-visible { color: var(--link); text-decoration: underline }
.sort { border: 0; background: none; padding: 0; font-weight: inherit; color: inherit; text-align: inherit }
.sort { position: relative; text-decoration: underline dotted; text-decoration-color: var(--line); text-underline-offset: .3em }
.sort:hover { color: var(--ink); text-decoration-color: currentColor }
[aria-sort] .sort { color: var(--ink) }
[aria-sort] .sort::after { position: absolute; left: 100%; padding-left: .15em }
.number .sort::after { left: auto; right: 100%; padding: 0 .15em 0 0 }
[aria-sort='ascending'] .sort::after { content: '↑' }
[aria-sort='descending'] .sort::after { content: '↓' }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: .75rem }
.filters input { width: 14rem }
.filters select { max-width: 14rem }
.shown { color: var(--muted); font-size: .875rem; margin-left: auto; font-variant-numeric: tabular-nums }
.pager { display: flex; gap: 1rem; align-items: center; justify-content: center; margin-top: 1rem; color: var(--muted) }
.outcome { font-size: .8rem; white-space: nowrap; border-radius: 4px; padding: .1rem .4rem; background: var(--faint); color: var(--muted) }
.outcome.success { background: var(--steady-soft); color: var(--steady) }
.outcome.broken { background: var(--unclear-soft); color: var(--unclear) }
.change.lost { color: var(--worse) }
.change.gained { color: var(--better) }
`

/** An episode beside its clean twin. */
const viewerStyle = `
#viewer { padding-top: 1rem }
#viewer h2 { overflow-wrap: anywhere; margin: 1.5rem 0 .25rem; outline-offset: 6px }
.controls { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; padding: .75rem 0; position: sticky; top: 0; background: var(--paper); border-bottom: 1px solid var(--line); z-index: 1 }
.controls a { margin-right: auto }
.keys { font-size: .8rem }
.facts { color: var(--muted); font-size: .875rem; margin-bottom: .25rem; font-variant-numeric: tabular-nums }
.key { font-family: ui-monospace, 'Liberation Mono', monospace; font-size: .8rem }
.siblings { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 1.5rem }
.siblings a { border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem; text-decoration: none; color: inherit; font-size: .875rem }
.siblings a[aria-current] { border-color: var(--ink) }
.sides { display: grid; gap: 0 2.5rem }
.sides.pair { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) }
.sides.single { grid-template-columns: minmax(0, 50rem) }
.side { margin: 0 }
.steps { list-style: none; margin: 1rem 0; padding: 0 }
.steps > li { border-top: 1px solid var(--faint) }
.step { display: grid; grid-template-columns: 2rem minmax(0, 1fr); padding: .6rem 0 }
.step-number { color: var(--muted); font-size: .8rem; padding-top: .1rem }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }
.action { font: 600 .875rem/1.5 ui-monospace, 'Liberation Mono', monospace; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }
.action mark { background: var(--mark); color: inherit; border-radius: 2px }
.observation { font-size: .9rem }
.underneath { color: var(--muted); font-size: .85rem; margin: .1rem 0 .3rem }
.underneath .action { font-weight: normal; font-size: .85rem }
.label { display: block; font-size: .75rem; color: var(--muted); letter-spacing: .02em }
.marks { list-style: none; margin: .15rem 0; padding: 0; font-size: .8rem }
.marks .refused, .marks .memorised { color: var(--worse) }
.marks .memorised { font-weight: 600 }
.marks .format, .marks .repeated { color: var(--unclear) }
.marks .note { color: var(--muted) }
.gain { font-size: .8rem; color: var(--steady) }
.refused .step-body { border-left: 2px solid var(--worse); padding-left: .75rem; margin-left: -.75rem }
.trial { font-size: .8rem; font-weight: 600; margin: .6rem 0 0; border-top: 2px solid var(--line); padding-top: .4rem }
.trial-end { margin: .4rem 0 .6rem }
.reflection { font-size: .9rem; border-left: 2px solid var(--line); padding-left: .75rem }
li.differs { border-top: 2px solid var(--ink) }
.difference-mark { grid-column: 1 / -1; font-size: .8rem; font-weight: 600; margin: .4rem 0 0 }
details { font-size: .875rem; margin: .1rem 0 .4rem }
summary { cursor: pointer; color: var(--muted); font-size: .8rem }
.more { font-size: .8rem; margin: .3rem 0 }
.error { color: var(--worse); font-size: .875rem }
@media (max-width: 48rem) {
  .sides.pair { grid-template-columns: minmax(0, 1fr) }
  .step.absent { display: none }
  .keys { display: none }
}
`

/** Print: figures without controls. */
const printStyle = `
@page wide { size: landscape; margin: 12mm }
@media print {
  body { font-size: 10pt }
  nav.top, .filters, .pager, .controls, .skip, .siblings, .more, .difference button, .choose, .tip, #episodes { display: none }
  main, header.top, footer { max-width: none; padding: 0 }
  figure.panel[hidden] { display: block !important }
  section { margin: 1.5rem 0 }
  .scroll { overflow: visible }
  [aria-sort] .sort::after { content: '' }
  a { color: inherit; text-decoration: none }
  .card, .charts figure, .step, tr { break-inside: avoid }
  .charts figure { content-visibility: visible }
  #tables { page: wide }
  .grid, .grid td.why, .interval span { font-size: 7.5pt }
  .grid th, .grid td { padding: .15rem .4rem }
  .grid thead { display: table-header-group }
  h2, h3 { break-after: avoid }
}
`

/** The style sheet of the page. */
export const pageStyle = [baseStyle, chartStyle, overviewStyle, tableStyle, viewerStyle, printStyle].join('\n')
