/**
 * Colours on white: those of lines are Okabe and Ito's (Color Universal Design, 2008), which people with any kind of
 * colour vision tell apart, without their yellow, which no white page shows.
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
  clean: '#b3b3b3',
  bar: '#7cc3ec',
  cell: '#f4f4f4',
} as const

/** A colour by its name in both palettes. */
export type Colour = keyof typeof light

/** The same on black: the dark ones a little lighter, bars darker so that intervals are seen on them. */
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
  clean: '#5a6067',
  bar: '#1f6da3',
  cell: '#1f2429',
}

/** The class of every chart's `svg`; all style is scoped under it. */
export const chartClass = 'shaketable-chart'

const names = Object.keys(light) as Colour[]

/**
 * The style sheet of charts. A page of several needs it once. Dark where the reader's screen is dark, never in print; a
 * page may set the custom properties (`--chart-paper`, `--chart-ink`, …) on the class itself. All of it is about
 * screens, since converters to PDF take a colour that they cannot read for black and do pass over what is for screens:
 * for them the colours stand in the elements.
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
