import colors from 'picocolors'

/** Where text goes, as far as its colours depend on that. */
interface Screen {
  readonly isTTY?: boolean
}

/**
 * Colours for a stream, as https://no-color.org and https://force-color.org ask: none with NO_COLOR, always with
 * FORCE_COLOR (but 0 and false), otherwise on a terminal that is not dumb.
 */
export function coloursOf(
  stream: Screen,
  env: NodeJS.ProcessEnv = process.env,
): ReturnType<typeof colors.createColors> {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env
  const isForced = FORCE_COLOR !== '' && !['0', 'false'].includes(FORCE_COLOR)
  return colors.createColors(
    NO_COLOR === '' && (isForced || (FORCE_COLOR === '' && stream.isTTY === true && TERM !== 'dumb')),
  )
}
