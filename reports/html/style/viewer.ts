/** An episode beside its clean twin. */
export const viewerStyle = `
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
li.parts { border-top: 2px solid var(--ink) }
.parting-mark { grid-column: 1 / -1; font-size: .8rem; font-weight: 600; margin: .4rem 0 0 }
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
