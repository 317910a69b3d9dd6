/** Cards of the overview, bars of differences, verdicts. */
export const overviewStyle = `
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
.says { color: var(--muted) }
.why { color: var(--muted) }
.forest { width: 100%; border-collapse: collapse; margin-top: .75rem; font-size: .85rem }
.forest caption { text-align: left; color: var(--muted); font-size: .8rem; padding-bottom: .2rem }
.forest th { font-weight: normal; text-align: left; padding: .1rem .75rem .1rem 0 }
.forest td { padding: .1rem 0 }
.forest td:nth-child(2) { width: 60% }
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
