import { chartStyle } from '../../charts/palette.js'
import { baseStyle } from './base.js'
import { overviewStyle } from './overview.js'
import { printStyle } from './print.js'
import { tableStyle } from './tables.js'
import { viewerStyle } from './viewer.js'

/** The whole style of the page. */
export const pageStyle = [baseStyle, chartStyle, overviewStyle, tableStyle, viewerStyle, printStyle].join('\n')
