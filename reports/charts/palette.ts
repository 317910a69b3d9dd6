/**
 * Colours on white. Those of lines are Okabe and Ito's (Color Universal Design, 2008), which people with any kind of
 * colour vision can distinguish, without yellow, which is invisible on white.
 */
export const light = {
  paper: '#ffffff',
  ink: '#1a1a1a',
  muted: '#595959',
  axis: '#8c8c8c',
  grid: '#e2e2e2',
  blue: '#0072b2',
  vermillion: '#d55e00',
  green: '#009e73',
  orange: '#e69f00',
  purple: '#cc79a7',
  sky: '#56b4e9',
  cell: '#f4f4f4',
} as const

/** The name of a colour in both palettes. */
export type Colour = keyof typeof light

/** Colours on black: those that are dark on white are lighter. */
export const dark: Readonly<Record<Colour, string>> = {
  paper: '#15181c',
  ink: '#ececec',
  muted: '#a9aeb4',
  axis: '#7d838a',
  grid: '#2e3339',
  blue: '#2f8fd6',
  vermillion: '#e0661a',
  green: '#0baa80',
  orange: '#f0b02e',
  purple: '#d98bb8',
  sky: '#86cdf5',
  cell: '#1f2429',
}

/** The class of every chart's `svg`; all rules are scoped to it. */
export const chartClass = 'shaketable-chart'

const names = Object.keys(light) as Colour[]

/**
 * The style sheet of charts; a page with several charts needs it once. Charts are dark if the reader's screen is dark,
 * never in print. A page may set the custom properties (`--chart-paper`, `--chart-ink`, …) on the class itself. All
 * rules are for screens: converters to PDF draw a colour that they cannot read as black, but skip rules for screens and
 * use the colours in the elements.
 */
export const chartStyle = [
  `@media screen and (prefers-color-scheme:dark){:where(.${chartClass}){`,
  names.map((name) => `--chart-${name}:${dark[name]}`).join(';'),
  '}}\n@media screen{\n',
  ...names.flatMap((name) =>
    (['fill', 'stroke'] as const).map(
      (kind) => `.${chartClass} .${kind}-${name}{${kind}:var(--chart-${name},${light[name]})}\n`,
    ),
  ),
  '}\n',
].join('')
