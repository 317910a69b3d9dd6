import { dark, light } from '../charts/palette.js'
import { shades } from './overview/robustness-table.js'

/** The strongest shade of a drop or a gain is this share of its colour: text stays legible on it. */
const strongest = { light: 62, dark: 55 }

/** Shades of drops and gains. */
const shadeStyle = Array.from({ length: shades }, (_, index) => {
  const share = (index + 1) / shades
  return `.drop-${String(index + 1)}, .gain-${String(index + 1)} { --share: ${String(share)} }`
}).join('\n')

/** The style sheet of the page. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f7f8f9; --ink: #1b1f24; --muted: #5b6470; --line: #dfe2e6; --faint: #eef0f2;
  --link: #0b5c99; --worse: #a83c00; --better: #0b5c99; --steady: #2f6b4a; --unclear: #6b5a00; --mark: #fff1c2;
  --steady-soft: #e9f4ee; --unclear-soft: #f8f3dd; --alarm: #a3150f; --alarm-soft: #fdeceb;
  --drop: ${light.vermillion}; --gain: ${light.blue}; --strongest: ${String(strongest.light)}%;
  --mono: ui-monospace, 'Liberation Mono', monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --raised: #1c2025; --ink: #e8eaed; --muted: #a3abb5; --line: #333a42; --faint: #23282e;
    --link: #7cbcf0; --worse: #ff9d6b; --better: #7cbcf0; --steady: #84cfa3; --unclear: #dcc76a; --mark: #4a3f14;
    --steady-soft: #1b2f25; --unclear-soft: #2f2b18; --alarm: #ff9a92; --alarm-soft: #3d1a18;
    --drop: ${dark.vermillion}; --gain: ${dark.blue}; --strongest: ${String(strongest.dark)}%;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 3.5rem; -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, 'Liberation Sans', sans-serif }
main, header.top, footer, nav.top ul { max-width: 110rem; margin: 0 auto; padding: 0 clamp(1rem, 2.5vw, 2rem) }
header.top, #viewer { padding-top: 1.5rem }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .6rem }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 .9rem }
h3 { font-size: .95rem; margin: 0 0 .5rem }
h4 { font-size: 1rem; margin: 0 0 .5rem }
h1, h2, h3, h4, bdi, dd, figcaption, .warning { overflow-wrap: anywhere }
p { margin: 0 0 .5rem; max-width: 80ch }
dd { margin: 0 }
section { margin: 2.25rem 0 }
figure { margin: 0 0 1.5rem }
figcaption { font-size: .85rem; color: var(--muted); margin-top: .5rem }
a { color: var(--link); text-underline-offset: .15em }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
[tabindex='-1']:focus { outline: none }
[hidden] { display: none !important }
mark { background: var(--mark); color: inherit; border-radius: 2px }
button, select, input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem }
button { cursor: pointer }
button:disabled { color: var(--muted); opacity: .6; cursor: default }
details { font-size: .875rem; margin: .1rem 0 .4rem }
summary { cursor: pointer; color: var(--muted) }
footer { color: var(--muted); font-size: .85rem; padding-top: 1.25rem; padding-bottom: 2.5rem; border-top: 1px solid var(--line) }
.short { white-space: nowrap }
.muted, .summary, .why { color: var(--muted) }
.number { font-variant-numeric: tabular-nums }
.unseen { font: .85em var(--mono); color: var(--worse); border: 1px solid currentColor; border-radius: 3px; padding: 0 .2em }
.warning { padding: .75rem 1rem; background: var(--alarm-soft); border-left: 3px solid var(--alarm) }
.remark { display: block; font-weight: normal; font-size: .8em; color: var(--muted) }
.skips a { position: absolute; left: -999px }
.skips a:focus { left: 1rem; top: .75rem; background: var(--paper); border: 1px solid var(--line); padding: .5rem .75rem; z-index: 4 }
nav.top { position: sticky; top: 0; z-index: 3; background: var(--paper); border-bottom: 1px solid var(--line); margin-top: 1.1rem }
nav.top ul { display: flex; gap: 1.5rem; list-style: none; padding-top: .55rem; padding-bottom: .55rem; overflow-x: auto }
nav.top a { color: var(--muted); text-decoration: none; white-space: nowrap }

.identity { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; margin: 0 0 .15rem; font-size: .875rem }
.identity div { display: flex; gap: .4rem; max-width: 100% }
.identity dt { color: var(--muted); white-space: nowrap }
.notices { margin: .9rem 0 0; overflow-wrap: anywhere }
.notices ul { margin: 0; list-style: none }
.notices .errors { padding: .6rem 1rem; margin-bottom: .6rem; background: var(--alarm-soft); border: 1px solid var(--alarm); border-left-width: 6px; border-radius: 6px; font-size: 1.05rem }
.notices .warnings { padding: .35rem 1rem; background: var(--unclear-soft); border-left: 3px solid var(--unclear); font-size: .9rem; margin: 0 }
.notices summary { color: var(--ink) }
.headlines { list-style: none; margin: 0 0 .5rem; padding: 0 }
.headlines li { font-size: 1.15rem; line-height: 1.35; padding: .1rem 0 .1rem .8rem; border-left: 4px solid var(--tone, var(--line)); margin: .25rem 0; max-width: 95ch; text-wrap: pretty }
.headlines .overall { font-weight: 600; border-left-color: var(--muted) }
.worse { --tone: var(--worse) }
.better { --tone: var(--better) }
.steady { --tone: var(--steady) }
.headlines-more { margin-bottom: 1.4rem }
.conditions { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .9rem 1.75rem; margin: 0; font-size: .875rem }
.conditions > div { border-top: 1px solid var(--line); padding-top: .4rem; min-width: 0 }
.conditions dt { font-weight: 600 }
.conditions dt .remark { display: inline; margin-left: .5em }
.conditions p { margin: 0; color: var(--muted) }
.conditions .wording { font: .8rem/1.5 var(--mono); color: var(--ink) }
.conditions del { color: var(--muted); text-decoration-color: var(--worse) }
.conditions ins { text-decoration: none; background: var(--mark); box-decoration-break: clone; padding: 0 .15em }

.environment { margin-bottom: 1.5rem }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1rem }
.card { border: 1px solid var(--line); border-top: 3px solid var(--tone, var(--line)); border-radius: 8px; padding: .9rem 1.1rem .8rem; min-width: 0 }
.card p { font-size: .875rem; line-height: 1.45 }
.headline { display: flex; gap: 2rem; margin: 0 0 .6rem }
.headline div { display: flex; flex-direction: column; justify-content: flex-end; min-width: 0 }
.headline dt { font-size: .8rem; color: var(--muted) }
.headline div:first-child { flex-shrink: 0 }
.headline dd { white-space: nowrap; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums }
.harmless > .cards { margin-top: .75rem }
.chart { max-width: 46rem; margin: 0 0 .5rem }
.chart > details > summary { font-size: .95rem; font-weight: 600; color: var(--ink) }
.chart img { display: block; width: 100%; height: auto; margin-top: .5rem }

.scroll { overflow: auto; max-height: max(24rem, 78vh); overscroll-behavior-x: contain }
.grid { border-collapse: separate; border-spacing: 0; font-size: .875rem; min-width: 100% }
.grid th, .grid td { padding: .3rem .7rem; text-align: left; vertical-align: top; font-weight: normal; border-bottom: 1px solid var(--faint) }
.grid thead { position: sticky; top: 0; z-index: 1; background: var(--paper) }
.grid thead th { color: var(--muted); font-weight: 600; border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: bottom }
.grid th:first-child { position: sticky; left: 0; background: var(--paper); z-index: 1 }
.grid .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.grid tbody th { min-width: 7rem; max-width: 20rem }
.grid td:has(.open) { min-width: 18rem }
.grid a { color: inherit; text-decoration: none }
.grid tr:hover .open, .grid a:hover, .grid a:focus-visible { color: var(--link); text-decoration: underline }
${shadeStyle}
.shaded { border-spacing: 1px }
.shaded thead th.change { white-space: normal; font-size: .8rem; line-height: 1.25 }
.shaded th > bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; white-space: normal; overflow-wrap: break-word; max-width: 14rem }
.shaded th.change > bdi { max-width: 6rem }
.shaded tbody th { font-weight: 600 }
.shaded td.change { background: var(--faint); border: 0 }
.shaded td.none { color: var(--muted); background: none; text-align: center }
.shaded td[class*='drop-'] { background: color-mix(in srgb, var(--drop) calc(var(--share) * var(--strongest)), var(--paper)) }
.shaded td[class*='gain-'] { background: color-mix(in srgb, var(--gain) calc(var(--share) * var(--strongest)), var(--paper)) }
.shaded .first { border-left: 1.25rem solid var(--paper) }

.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: .75rem }
.filters .find { width: 22rem }
.filters .text { width: 14rem }
.filters > * { max-width: 100% }
.filters select { max-width: 11rem }
.shown { color: var(--muted); font-size: .875rem; margin-left: auto; font-variant-numeric: tabular-nums }
.searching { margin-bottom: .5rem; font-variant-numeric: tabular-nums }
.grid tr:has(+ .found) td { border-bottom: 0 }
.found .label { display: inline }
.pager { display: flex; gap: 1rem; align-items: center; justify-content: center; margin-top: 1rem; color: var(--muted) }
.outcome { font-size: .8rem; font-weight: normal; white-space: nowrap; border-radius: 4px; padding: .1rem .4rem; background: var(--faint); color: var(--muted) }
.outcome.success { background: var(--steady-soft); color: var(--steady) }
.outcome.broken { background: var(--unclear-soft); color: var(--unclear) }
.change.lost { color: var(--worse) }
.change.gained { color: var(--better) }
.task-id { color: var(--muted); font-size: .8rem; font-weight: normal }

nav.controls { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; padding: .75rem 0; position: sticky; top: 0; background: var(--paper); border-bottom: 1px solid var(--line); z-index: 1 }
.controls a { margin-right: auto }
#viewer h2 { margin: 1.5rem 0 .25rem }
.facts { color: var(--muted); font-size: .875rem; margin-bottom: .25rem; font-variant-numeric: tabular-nums }
.key { font-family: var(--mono); font-size: .8rem }
.siblings { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 1.5rem }
.siblings a { border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem; text-decoration: none; color: inherit; font-size: .875rem }
.siblings a[aria-current] { border-color: var(--ink) }
.sides { display: grid; gap: 0 2.5rem }
.sides.pair { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) }
.sides.single { grid-template-columns: minmax(0, 50rem) }
.side { margin: 0 }
.steps { list-style: none; margin: 1rem 0; padding: 0 }
.steps > li { border-top: 1px solid var(--faint); margin: 0 -.75rem; padding: .3rem .75rem }
.steps > li:focus { background: linear-gradient(to right, var(--link) 3px, transparent 3px) }
.step { display: grid; grid-template-columns: 2rem minmax(0, 1fr); padding: .3rem 0 }
.step-number { color: var(--muted); font-size: .8rem; text-decoration: none; padding-top: .1rem }
.text, .action { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; max-width: none }
.action { font: 600 .875rem/1.5 var(--mono) }
.received .action { font-weight: normal }
.which, .label { display: block; font-size: .75rem; color: var(--muted) }
.steps > li ~ li .which, .changed .which { display: none }
.changed { border-left: 3px solid var(--mark); padding-left: .6rem }
.observation { font-size: .9rem }
.underneath, .received { color: var(--muted); font-size: .85rem; margin: .1rem 0 .3rem }
.marks { list-style: none; margin: .15rem 0; padding: 0; font-size: .8rem; color: var(--muted) }
.marks .refused, .marks .memorised, .error { color: var(--worse) }
.marks .memorised { font-weight: 600 }
.marks .format, .marks .repeated { color: var(--unclear) }
.gain { font-size: .8rem; color: var(--steady) }
.refused .step-body { border-left: 2px solid var(--worse); padding-left: .75rem; margin-left: -.75rem }
.trial { font-weight: 600; margin: .6rem 0 0; border-top: 2px solid var(--line); padding-top: .4rem }
.reflection { border-left: 2px solid var(--line); padding-left: .75rem }
li.differs { border-top: 2px solid var(--ink) }
.difference-mark { grid-column: 1 / -1; font-size: .8rem; font-weight: 600; margin: .4rem 0 0 }
@media (max-width: 48rem) {
  .sides.pair { grid-template-columns: minmax(0, 1fr) }
  .step.absent, .changed .absent { display: none }
  .steps > li ~ li .which, .changed .which { display: block }
}

@media print {
  nav, .filters, .pager, #episodes { display: none }
  .scroll { overflow: visible; max-height: none }
}
`
