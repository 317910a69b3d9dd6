export type { Chart, ChartPoint } from './chart.js'
export { chartsOf } from './charts-of.js'
export { chartClass, chartStyle } from './palette.js'
