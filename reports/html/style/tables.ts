/** Tables of figures, their filters, and the list of episodes. */
export const tableStyle = `
figure.table { margin: 0 0 2.5rem }
.scroll { overflow-x: auto }
.grid { border-collapse: collapse; font-size: .875rem; min-width: 100% }
.grid th, .grid td { padding: .3rem .75rem; text-align: left; vertical-align: baseline; font-weight: normal; border-bottom: 1px solid var(--faint) }
.grid th:first-child, .grid td:first-child { padding-left: 0 }
.grid .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.grid thead th { color: var(--muted); font-weight: 600; border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: bottom }
.grid .groups th { text-align: center; border-bottom: 1px solid var(--line) }
.grid .groups td { border: 0 }
.grid tbody tr:hover { background: var(--raised) }
.grid tbody th { max-width: 22rem }
.grid td.why { min-width: 18rem; max-width: 34rem; font-size: .85rem }
.grid a.open { color: inherit; text-decoration: none }
.grid tr:hover a.open, .grid a.open:focus-visible { color: var(--link); text-decoration: underline }
.sort { border: 0; background: none; padding: 0; font-weight: inherit; color: inherit; text-align: inherit }
.sort::after { content: ' ↕'; opacity: .35 }
[aria-sort='ascending'] .sort::after { content: ' ↑'; opacity: 1 }
[aria-sort='descending'] .sort::after { content: ' ↓'; opacity: 1 }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: .75rem }
.filters input { width: 16rem }
.filters select { max-width: 14rem }
.shown { color: var(--muted); font-size: .875rem; margin-left: auto; font-variant-numeric: tabular-nums }
.pager { display: flex; gap: 1rem; align-items: center; justify-content: center; margin-top: 1rem; color: var(--muted) }
.outcome { font-size: .8rem; white-space: nowrap; border-radius: 4px; padding: .1rem .4rem; background: var(--faint); color: var(--muted) }
.outcome.success { background: var(--steady-soft); color: var(--steady) }
.outcome.broken { background: var(--unclear-soft); color: var(--unclear) }
.change.lost { color: var(--worse) }
.change.gained { color: var(--better) }
`
