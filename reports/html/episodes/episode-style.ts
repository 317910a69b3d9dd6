/** The search in the list of episodes, an episode beside its clean twin, and the dialog of keys. */
export const episodeStyle = `
#viewer { padding-top: 1rem }
#viewer h2 { overflow-wrap: anywhere; margin: 1.5rem 0 .25rem; outline-offset: 6px }
.task-id { color: var(--muted); font-size: .8rem; font-weight: normal; letter-spacing: 0; overflow-wrap: anywhere }
.grid .task-id { font-size: .75rem }
.filters .find { width: 22rem; max-width: 100% }
.choices { display: flex; flex-wrap: wrap; gap: .5rem }
.find-help { font-size: .8rem; max-width: none }
.searching { margin-bottom: .5rem; font-variant-numeric: tabular-nums }
.searching button { padding: 0 .5rem; margin-left: .25rem }
.searching .warning { margin-top: .5rem }
.grid .found td { padding-top: 0; border-bottom-color: var(--line) }
.grid tr:has(+ .found) td { border-bottom: 0 }
.found .label { display: inline; padding-right: .5rem }
mark { background: var(--mark); color: inherit; border-radius: 2px }
kbd { font: .85em ui-monospace, 'Liberation Mono', monospace; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 .3em }
.key-help { background: var(--paper); color: var(--ink); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem 1.5rem; max-width: min(32rem, calc(100vw - 2rem)) }
.key-help::backdrop { background: rgb(0 0 0 / .4) }
.key-help table { border-collapse: collapse; margin-bottom: 1rem; font-size: .9rem }
.key-help th { text-align: left; font-weight: normal; white-space: nowrap; padding: .2rem 1rem .2rem 0 }
.controls { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; padding: .75rem 0; position: sticky; top: 0; background: var(--paper); border-bottom: 1px solid var(--line); z-index: 1 }
.controls a { margin-right: auto }
.keys { font-size: .8rem; color: var(--muted); padding: .1rem .5rem }
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
.steps > li { border-top: 1px solid var(--faint); margin: 0 -.75rem; padding: 0 .75rem }
.step { display: grid; grid-template-columns: 2rem minmax(0, 1fr); padding: .6rem 0 }
.step-number { color: var(--muted); font-size: .8rem; padding-top: .1rem }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }
.action { font: 600 .875rem/1.5 ui-monospace, 'Liberation Mono', monospace; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }
.said { position: relative }
.said.reworded > .action { text-decoration: underline dotted var(--muted); text-decoration-thickness: 1px; text-underline-offset: .25em }
.wordings { display: none; grid-template-columns: auto minmax(0, 1fr); gap: .1rem .75rem; margin: .15rem 0 .3rem; padding: .4rem .6rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; font-size: .85rem }
.wordings dt { color: var(--muted); font-size: .8rem }
.wordings dd { margin: 0 }
.wording { font: .85rem/1.5 ui-monospace, 'Liberation Mono', monospace; white-space: pre-wrap; overflow-wrap: anywhere }
.said:hover > .wordings { display: grid; position: absolute; z-index: 1; top: 100%; left: -.6rem; margin: 0; box-shadow: 0 4px 14px rgb(0 0 0 / .18) }
li:focus-visible .wordings, .said:focus > .wordings { display: grid; position: static; margin: .15rem 0 .3rem; box-shadow: none }
.steps > li:focus-visible { outline-offset: -2px }
.steps > li[aria-current] { background: linear-gradient(to right, var(--link) 3px, transparent 3px) }
.which { display: none; font-size: .75rem; color: var(--muted) }
.steps > li:first-child .which { display: block; padding-top: .3rem }
#copied:empty { display: none }
.condition { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem }
.condition p { font-size: .875rem; margin-bottom: .25rem }
.condition h3 { margin-bottom: .25rem }
.rewordings { font-size: .875rem }
.rewording { white-space: normal; margin-right: .75rem }
.prompt-comparison > summary { font-size: .875rem; color: inherit }
.prompt-comparison .text { font-size: .85rem }
.changed { border-left: 3px solid var(--mark); padding-left: .6rem; margin-left: -.6rem }
.changed .own { background: var(--mark) }
.observation { font-size: .9rem }
.underneath { color: var(--muted); font-size: .85rem; margin: .1rem 0 .3rem }
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
  .step.absent, .changed .absent { display: none }
  .which { display: block; padding-top: .3rem }
  .keys { display: none }
  .controls { gap: .4rem; font-size: .8rem; padding: .4rem 0 }
  .controls button { padding: .2rem .45rem }
  .controls .wide { display: none }
  .filters .find, .filters .choices, #episode-list .filters input { width: 100% }
  .choices { flex-wrap: nowrap; overflow-x: auto }
  .choices select { flex-shrink: 0; max-width: 11rem }
  #episode-list .grid, #episode-list tbody, #episode-list .found td { display: block }
  #episode-list thead tr, #episode-list tbody tr { display: flex; flex-wrap: wrap; gap: .1rem .75rem; padding: .4rem 0; border-bottom: 1px solid var(--faint) }
  #episode-list tbody tr:has(+ .found) { border-bottom: 0; padding-bottom: .1rem }
  #episode-list :is(th, td) { padding: 0; border: 0; min-width: 0 }
  #episode-list :is(td:has(.open), .found td) { width: 100% }
  #episode-list td.number::before { content: attr(data-title) ' '; color: var(--muted); font-size: .8rem }
  #episode-list td:empty { display: none }
}
`
