import { chartStyle, dark, light } from '../charts/palette.js'
import { episodeStyle } from './episodes/episode-style.js'
import { shades } from './overview/robustness-table.js'

/** Colours, type and layout of the page. */
const baseStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f7f8f9; --ink: #1b1f24; --muted: #5b6470; --line: #dfe2e6; --faint: #eef0f2;
  --link: #0b5c99; --worse: #a83c00; --better: #0b5c99; --steady: #2f6b4a; --unclear: #6b5a00; --mark: #fff1c2;
  --worse-soft: #fdeee6; --steady-soft: #e9f4ee; --unclear-soft: #f8f3dd; --better-soft: #e6f1fa;
  --alarm: #a3150f; --alarm-soft: #fdeceb; --shadow: rgb(20 25 30 / .14);
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --raised: #1c2025; --ink: #e8eaed; --muted: #a3abb5; --line: #333a42; --faint: #23282e;
    --link: #7cbcf0; --worse: #ff9d6b; --better: #7cbcf0; --steady: #84cfa3; --unclear: #dcc76a; --mark: #4a3f14;
    --worse-soft: #38231a; --steady-soft: #1b2f25; --unclear-soft: #2f2b18; --better-soft: #182a3a;
    --alarm: #ff9a92; --alarm-soft: #3d1a18; --shadow: rgb(0 0 0 / .7);
  }
}
@media (prefers-contrast: more) { :root { --muted: var(--ink); --line: var(--ink); --faint: var(--line) } }
* { box-sizing: border-box }
html { scroll-padding-top: 3.5rem; -webkit-text-size-adjust: 100% }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth } }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif;
}
main, header.top, footer, nav.top ul { max-width: 110rem; margin: 0 auto; padding: 0 clamp(1rem, 2.5vw, 2rem) }
header.top { padding-top: 1.75rem }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .6rem; letter-spacing: -.015em; overflow-wrap: anywhere }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 .9rem; letter-spacing: -.01em }
h3 { font-size: .95rem; margin: 0 0 .5rem; overflow-wrap: anywhere }
h4 { font-size: 1rem; margin: 0 0 .5rem }
p { margin: 0 0 .5rem; max-width: 80ch }
section { margin: 2.25rem 0 }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em }
bdi { overflow-wrap: anywhere }
.short { white-space: nowrap }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px }
[hidden] { display: none !important }
[tabindex='-1']:focus { outline: none }
[tabindex='-1']:focus-visible:is(a, button) { outline: 2px solid var(--link) }
.muted { color: var(--muted) }
.number { font-variant-numeric: tabular-nums }
.unseen { font: .85em ui-monospace, monospace; color: var(--worse); border: 1px solid currentColor; border-radius: 3px; padding: 0 .2em }
.skips a { position: absolute; left: -999px }
.skips a:focus { left: 1rem; top: .75rem; background: var(--paper); border: 1px solid var(--line); padding: .5rem .75rem; z-index: 4 }
nav.top { position: sticky; top: 0; z-index: 3; background: var(--paper); border-bottom: 1px solid var(--line); margin-top: 1.1rem }
nav.top ul { display: flex; gap: 1.5rem; list-style: none; padding-top: .55rem; padding-bottom: .55rem; overflow-x: auto }
nav.top a { color: var(--muted); text-decoration: none; white-space: nowrap }
nav.top a:hover { color: var(--ink); text-decoration: underline }
button, select, input {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem;
}
button { cursor: pointer }
button:hover:enabled, select:hover, input:hover { border-color: var(--muted) }
button:disabled { color: var(--muted); opacity: .6; cursor: default }
.warning { padding: .75rem 1rem; background: var(--worse-soft); border-left: 3px solid var(--worse); overflow-wrap: anywhere }
footer { color: var(--muted); font-size: .85rem; padding-top: 1.25rem; padding-bottom: 2.5rem; border-top: 1px solid var(--line) }
@media (forced-colors: active) { .errors, .card, .tabs [aria-selected='true'] { border: 2px solid } }
`

/** Identity, notices, headlines, what was perturbed. */
const topStyle = `
.identity { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; margin: 0 0 .15rem; font-size: .875rem; line-height: 1.55 }
.identity div { display: flex; gap: .4rem; max-width: 100% }
.identity dt { color: var(--muted); white-space: nowrap }
.identity dd { margin: 0; overflow-wrap: anywhere }
.experiment p { max-width: 100ch; overflow-wrap: anywhere }
.notices { margin: .9rem 0 0 }
.notices ul { margin: 0; padding: 0; list-style: none }
.notices li { padding: .15rem 0; max-width: 130ch; overflow-wrap: anywhere }
.errors { background: var(--alarm-soft); border: 1px solid var(--alarm); border-left-width: 6px; border-radius: 6px; font-size: 1.05rem }
.notices .errors { padding: .6rem 1rem; margin-bottom: .6rem }
.errors strong { color: var(--alarm) }
.warnings { background: var(--unclear-soft); border-left: 3px solid var(--unclear); font-size: .9rem; margin: 0 }
.notices .warnings { padding: .35rem 1rem }
.warnings strong { color: var(--unclear) }
.warnings summary { color: var(--ink) }
.headlines { list-style: none; margin: 0 0 .5rem; padding: 0 }
.headlines li { font-size: 1.15rem; line-height: 1.35; padding: .1rem 0 .1rem .8rem; border-left: 4px solid var(--line); margin: .25rem 0; max-width: 95ch; text-wrap: pretty }
.headlines .overall { font-weight: 600; border-left-color: var(--muted) }
.headlines .worse { border-left-color: var(--worse) }
.headlines .better { border-left-color: var(--better) }
.headlines .steady { border-left-color: var(--steady) }
.headlines a { color: inherit; text-decoration-color: var(--muted) }
.headlines a:hover { color: var(--link) }
.headlines-more { margin-bottom: 1rem }
.headlines + figure, .headlines-more + figure { margin-top: 1.4rem }
.conditions { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .9rem 1.75rem; margin: 0 }
.conditions > div { border-top: 1px solid var(--line); padding-top: .4rem; min-width: 0 }
.conditions dt { font-weight: 600; font-size: .9rem }
.conditions dd { margin: 0; font-size: .85rem; line-height: 1.4 }
.conditions dd p { margin: 0; color: var(--muted) }
.conditions .wording { font: .8rem/1.5 ui-monospace, 'Liberation Mono', monospace; color: var(--ink) }
.conditions del { color: var(--muted); text-decoration-color: var(--worse) }
.conditions ins { text-decoration: none; background: var(--mark); border-radius: 2px; box-decoration-break: clone; padding: 0 .15em }
.arrow { color: var(--muted) }
.remark { display: block; font-weight: normal; font-size: .8em; color: var(--muted) }
dt .remark { display: inline; margin-left: .5em }
`

/** Cards of the models, interval bars, verdicts, charts. */
const overviewStyle = `
.environment { margin-bottom: 1.5rem }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1rem }
.card { border: 1px solid var(--line); border-top: 3px solid var(--line); border-radius: 8px; padding: .9rem 1.1rem .8rem; min-width: 0 }
.card.worse { border-top-color: var(--worse) }
.card.steady { border-top-color: var(--steady) }
.card.better { border-top-color: var(--better) }
.card h4 { overflow-wrap: anywhere }
.card p { font-size: .875rem; line-height: 1.45 }
.headline { display: flex; gap: 2rem; margin: 0 0 .6rem }
.headline div:first-child { flex-shrink: 0 }
.headline div { display: flex; flex-direction: column; justify-content: flex-end; min-width: 0 }
.headline dt { font-size: .8rem; color: var(--muted) }
.headline dd { margin: 0; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; letter-spacing: -.02em }
h4 .muted { font-weight: normal; font-size: .85rem }
.summary, .why { color: var(--muted) }
.equal { margin: .15rem 0 0 }
.equal p { margin: .1rem 0 .3rem; color: var(--muted) }
.harmless { margin-top: 1rem }
.harmless > summary { font-size: .95rem; color: var(--ink) }
.harmless > .cards { margin-top: .75rem }
.forest { width: 100%; table-layout: fixed; border-collapse: collapse; margin: .5rem 0 .4rem; font-size: .85rem }
.forest caption { text-align: left; color: var(--muted); font-size: .8rem; padding-bottom: .1rem }
.forest th { overflow-wrap: anywhere; font-weight: normal; text-align: left; padding: .1rem .75rem .1rem 0; width: 40% }
.forest td { padding: .1rem 0 }
.forest .bar { width: 100% }
.forest .number { text-align: right; padding-left: .5rem; white-space: nowrap; width: 4rem }
.bar { display: block; width: 100%; min-width: 5rem; max-width: 12.5rem; height: auto }
.bar-axis { stroke: var(--line) }
.bar-zero { stroke: var(--muted) }
.bar-interval { stroke: currentColor; stroke-width: 3; stroke-linecap: round; opacity: .45 }
.bar-mean { fill: currentColor }
.bar.worse, .verdict.worse { color: var(--worse) }
.bar.better, .verdict.better { color: var(--better) }
.bar.steady, .verdict.steady { color: var(--steady) }
.bar.unclear, .verdict.unclear, .bar.unknown, .bar.untouched, .verdict.unknown, .verdict.untouched, .bar.control, .verdict.control { color: var(--muted) }
.verdict { white-space: nowrap; font-weight: 600 }
.grid .bar { width: 9rem; margin: .25rem 0 }
.interval span { font-size: .8rem; color: var(--muted); white-space: nowrap; font-variant-numeric: tabular-nums }
.charts figure { margin: 0 0 2rem; display: grid; grid-template-columns: minmax(0, 46rem); gap: 0 2.5rem; content-visibility: auto; contain-intrinsic-size: auto 24rem }
.charts svg:focus-visible { outline-offset: -2px }
.charts svg { display: block; width: 100%; height: auto }
@media (min-width: 70rem) {
  .charts figure { grid-template-columns: minmax(0, 46rem) minmax(16rem, 30rem) }
  .charts figure > * { grid-column: 1 }
  .charts figure > figcaption { grid-column: 2; grid-row: 3; margin: 0 }
}
.tip { position: absolute; z-index: 5; width: max-content; max-width: min(24rem, calc(100vw - 1rem)); padding: .35rem .6rem; border-radius: 6px; background: var(--ink); color: var(--paper); font-size: .8rem; line-height: 1.35; pointer-events: none; overflow-wrap: anywhere }
figcaption { font-size: .85rem; color: var(--muted); margin-top: .5rem }
figcaption p { margin: 0 0 .25rem; max-width: 90ch; overflow-wrap: anywhere }
`

/** Tables of figures, their filters, and the list of episodes. */
const tableStyle = `
figure.table { margin: 0 0 1.5rem }
@media screen and (scripting: enabled) { .panels[data-tabs]:not(.chosen) > .panel ~ .panel { display: none } }
.frame { position: relative; margin-bottom: .5rem }
.scroll { overflow: auto; max-height: max(24rem, 78vh); overscroll-behavior-x: contain }
.frame::before, .frame::after { content: ''; position: absolute; z-index: 2; pointer-events: none; opacity: 0 }
.frame::after { top: 0; bottom: 0; right: 0; width: .9rem; background: linear-gradient(to left, var(--shadow), transparent) }
.frame::before { left: 0; right: 0; bottom: 0; height: .75rem; background: linear-gradient(to top, var(--shadow), transparent) }
.more-right::after, .more-below::before { opacity: 1 }
.grid { border-collapse: separate; border-spacing: 0; font-size: .875rem; min-width: 100% }
.grid th, .grid td { padding: .3rem .7rem; text-align: left; vertical-align: top; font-weight: normal; border-bottom: 1px solid var(--faint) }
.grid th:first-child, .grid td:first-child { padding-left: .25rem }
.grid thead { position: sticky; top: 0; z-index: 1; background: var(--paper) }
.grid tbody th:first-child, .grid thead th:first-child { position: sticky; left: 0; background: var(--paper); z-index: 1 }
.more-left .grid tbody th:first-child, .more-left .grid thead th:first-child { box-shadow: 8px 0 8px -8px var(--shadow) }
.more-above .grid thead { box-shadow: 0 8px 8px -8px var(--shadow) }
.grid .groups th { text-align: left }
.grid .first { padding-left: 1.75rem }
.grid .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.grid thead th { color: var(--muted); font-weight: 600; border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: bottom }
.grid .groups td { border: 0 }
.grid tbody tr:hover > * { background: var(--raised) }
.grid tbody th { min-width: 7rem; max-width: 20rem }
.grid td:has(.open) { min-width: 18rem; overflow-wrap: anywhere }
.grid .published { font-style: italic }
.shaded { min-width: min(100%, 40rem); border-spacing: 1px }
.shaded th.change { white-space: normal; font-size: .8rem; line-height: 1.25 }
.shaded th.change bdi, .shaded tbody th > bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; white-space: normal; overflow-wrap: break-word; max-width: 14rem }
.shaded th.change bdi { max-width: 6rem }
.shaded tbody th > .short { display: block; white-space: nowrap; text-overflow: ellipsis }
.shaded th.change .sort { display: inline-block; max-width: 100% }
.shaded thead th, .shaded thead td { padding: .3rem .55rem }
.shaded tbody th, .shaded tbody td { padding: 0 .55rem; line-height: 1.9rem; border: 0 }
.shaded tbody th { max-width: 14rem; line-height: 1.3; padding-block: .35rem; font-weight: 600; vertical-align: middle }
.shaded tbody td { vertical-align: middle }
.shaded td.change { padding: 0; background: var(--faint) }
.shaded td.none { color: var(--muted); padding: 0 .55rem; background: none; text-align: center }
.shaded td a { display: block; padding: 0 .55rem; color: inherit; text-decoration: none }
.shaded td a:hover { text-decoration: underline }
.shaded td a:focus-visible { outline-offset: -2px }
.grid .change.first { border-left: 1.25rem solid var(--paper) }
.shaded td.first { padding-left: 0 }
tr:target > th:first-child { box-shadow: inset 4px 0 var(--link) }
.choose { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: center; margin-bottom: 1rem }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; border-bottom: 1px solid var(--line); flex: 1 }
.tabs button { border: 0; border-radius: 0; background: none; padding: .35rem 0; color: var(--muted); border-bottom: 2px solid transparent; margin-bottom: -1px }
.tabs button[aria-selected='true'] { color: var(--ink); border-bottom-color: var(--ink) }
.tools { display: flex; flex-wrap: wrap; gap: .35rem; align-items: baseline; justify-content: flex-end; font-size: .8rem; color: var(--muted); margin-bottom: .4rem }
figure:has(> .tools) > h3 { padding-right: 16rem }
figure:has(> .tools) > h3 + .tools { margin-top: -1.9rem }
.filters > .shown + .tools { margin: 0 }
.filters > .shown:has(+ .tools) { margin-right: .75rem }
.tools button { padding: .05rem .5rem; color: var(--ink) }
.copied { position: fixed; left: -999px }
.grid td.why { min-width: 15rem; max-width: 34rem; font-size: .85rem }
.grid a.open { color: inherit; text-decoration: none }
.grid tr:hover a.open, .grid a.open:focus-visible { color: var(--link); text-decoration: underline }
.sort { border: 0; background: none; padding: 0; font-weight: inherit; color: inherit; text-align: inherit; font-size: inherit }
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
@media screen and (max-width: 37.5rem) {
  figure:has(> .tools) > h3 { padding-right: 0 }
  figure:has(> .tools) > h3 + .tools { margin-top: 0 }
  .tools { justify-content: flex-start }
  .labelled, .labelled tbody { display: block; min-width: 0 }
  .labelled thead { display: none }
  .labelled tbody tr { display: block; border: 1px solid var(--line); border-radius: 8px; padding: .5rem .75rem; margin-bottom: .75rem }
  .labelled tbody tr > * { display: flex; gap: .6rem; max-width: none; min-width: 0; white-space: normal; padding: .15rem 0; border: 0; text-align: right }
  .labelled tbody tr > *::before { content: attr(data-label); color: var(--muted); text-align: left; font-weight: normal; margin-right: auto }
  .labelled tbody th:first-child { position: static; font-weight: 600; padding-left: 0; box-shadow: none }
  .labelled tbody td.why { display: block; text-align: left; min-width: 0 }
  .labelled td.why::before { display: block }
  .labelled .bar { display: none }
  .scroll:has(> .shaded.labelled) { max-height: none }
  .shaded.labelled tbody tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 2px }
  .shaded.labelled tbody tr > * { display: flex; flex-direction: column; gap: 0; text-align: left; line-height: 1.35; padding: .2rem .35rem; border-radius: 3px; border: 0 }
  .shaded.labelled tbody tr > th { grid-column: 1 / -1; font-size: 1rem; padding: 0 }
  .shaded.labelled tbody tr > th::before { content: none }
  .shaded.labelled tbody tr > *::before { font-size: .72rem; color: inherit; overflow-wrap: anywhere; line-height: 1.2 }
  .shaded.labelled td a { padding: 0; display: inline }
  .shaded.labelled tbody .change.first { border: 0 }
  .shaded.labelled td.none { display: none }
}
`

/** Shades of drops and gains: ink stays legible on the strongest. */
const shadeStyle = [
  shadesOf(light.vermillion, light.blue, '#ffffff', 0.62),
  `@media screen and (prefers-color-scheme: dark) {\n${shadesOf(dark.vermillion, dark.blue, '#15181c', 0.55)}}\n`,
].join('')

function shadesOf(drop: string, gain: string, paper: string, strongest: number): string {
  return Array.from({ length: shades }, (_, index) => {
    const share = (strongest * (index + 1)) / shades
    return (['drop', 'gain'] as const)
      .map((name) => {
        const colour = mix(name === 'drop' ? drop : gain, paper, share)
        return `.shaded td.${name}-${String(index + 1)} { background: ${colour} }\n`
      })
      .join('')
  }).join('')
}

/** A colour that is `share` of one and the rest of another; all are #rrggbb. */
function mix(one: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [first, second] = [one, other].map((colour) => parseInt(colour.slice(at, at + 2), 16)) as [number, number]
    return Math.round(share * first + (1 - share) * second)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${parts.join('')}`
}

/** Print: figures without controls. */
const printStyle = `
@page wide { size: landscape; margin: 12mm }
@media print {
  body { font-size: 10pt }
  nav, .filters, .pager, .controls, .siblings, .more, .difference button, .choose, .tip, .tools, #episodes { display: none }
  main, header.top, footer { max-width: none; padding: 0 }
  figure.panel[hidden] { display: block !important }
  section { margin: 1.5rem 0 }
  .scroll { overflow: visible; max-height: none }
  .frame::before, .frame::after { content: none }
  .grid thead, .grid th { position: static !important }
  [aria-sort] .sort::after { content: '' }
  a { color: inherit; text-decoration: none }
  details::details-content { content-visibility: visible; height: auto }
  .card, .charts figure, .step, tr, .headlines li { break-inside: avoid }
  .charts figure { content-visibility: visible; display: block }
  .shaded td { print-color-adjust: exact }
  #overview, #changes, #tables { page: wide }
  .grid, .grid td.why, .interval span { font-size: 7.5pt }
  .grid th, .grid td { padding: .15rem .4rem }
  .grid thead { display: table-header-group }
  h2, h3 { break-after: avoid }
}
`

/** The style sheet of the page. */
export const pageStyle = [
  baseStyle,
  chartStyle,
  topStyle,
  overviewStyle,
  tableStyle,
  shadeStyle,
  episodeStyle,
  printStyle,
].join('\n')
