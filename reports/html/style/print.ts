/** On paper: figures without what can only be clicked. */
export const printStyle = `
@page wide { size: landscape; margin: 12mm }
@media print {
  body { font-size: 10pt }
  nav.top, .filters, .pager, .controls, .skip, .siblings, .more, .parting button, .choose, .tip, #episodes { display: none }
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
