/** The kinds of notice, in the order in which they are shown. */
export const noticeKinds = [
  'changed-model',
  'coverage',
  'replies-cut',
  'overflow',
  'format-errors',
  'floor',
  'server',
  'leaks',
  'published',
] as const
