/** The kinds of notice, in the order in which those of one severity are shown. */
export const noticeKinds = [
  'changed-model',
  'coverage',
  'changed-endpoint',
  'different-worlds',
  'replies-empty',
  'replies-cut',
  'overflow',
  'format-errors',
  'floor',
  'server',
  'leaks',
  'published',
] as const

/** Figures mean nothing; figures are limited; worth knowing. */
export const severities = ['error', 'warning', 'note'] as const

/**
 * Kinds of headline: the primary endpoint; the whole run; a training curve; a significant drop; a significant gain;
 * almost no success without perturbation; no significant drop, with bounds above and below the gate's margin; nothing
 * measured.
 */
export const headlineKinds = [
  'primary',
  'overall',
  'curve',
  'worse',
  'better',
  'floor',
  'unclear',
  'steady',
  'unknown',
] as const
