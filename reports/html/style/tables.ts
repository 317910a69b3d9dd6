/** Tables of figures, their filters, and the list of episodes. */
export const tableStyle = `
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
