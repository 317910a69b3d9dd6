/**
 * Colours on white and on black. Those of lines are Okabe and Ito's (Color Universal Design, 2008), which people with
 * any kind of colour vision can distinguish, without yellow, which is invisible on white; on black they are lighter.
 */
const colours = {
  paper: ['#ffffff', '#15181c'],
  ink: ['#1a1a1a', '#ececec'],
  muted: ['#595959', '#a9aeb4'],
  axis: ['#8c8c8c', '#7d838a'],
  grid: ['#e2e2e2', '#2e3339'],
  blue: ['#0072b2', '#2f8fd6'],
  vermillion: ['#d55e00', '#e0661a'],
  green: ['#009e73', '#0baa80'],
  orange: ['#e69f00', '#f0b02e'],
  purple: ['#cc79a7', '#d98bb8'],
  sky: ['#56b4e9', '#86cdf5'],
  cell: ['#f4f4f4', '#1f2429'],
} as const

/** The name of a colour in both palettes. */
export type Colour = keyof typeof colours

const names = Object.keys(colours) as Colour[]
const paletteOf = (place: 0 | 1) =>
  Object.fromEntries(names.map((name) => [name, colours[name][place]])) as Readonly<Record<Colour, string>>

/** Colours on white, which the elements have, so that converters to PDF need no style sheet. */
export const light = paletteOf(0)
/** Colours on black. */
export const dark = paletteOf(1)

/** The class of every chart's `svg`; all rules are scoped to it. */
export const chartClass = 'shaketable-chart'

/** The style sheet of charts, which are dark if the reader's screen is dark, never in print. */
export const chartStyle = `@media screen and (prefers-color-scheme:dark){
${names
  .flatMap((name) => ['fill', 'stroke'].map((kind) => `[${kind}='${light[name]}']{${kind}:${dark[name]}}`))
  .map((rule) => `.${chartClass} ${rule}`)
  .join('\n')}
}
`
