/** On paper: figures without what can only be clicked. */
export const printStyle = `
@media print {
  body { font-size: 10pt }
  nav.top, .filters, .pager, .controls, .skip, .siblings, .more, .parting button, .choose, .tip, #episodes { display: none }
  main, header.top, footer { max-width: none; padding: 0 }
  figure.panel[hidden] { display: block !important }
  section { margin: 1.5rem 0 }
  .scroll { overflow: visible }
  [aria-sort] .sort::after { content: '' }
  a { color: inherit; text-decoration: none }
  .card, figure, .step, tr { break-inside: avoid }
  h2, h3 { break-after: avoid }
}
`
