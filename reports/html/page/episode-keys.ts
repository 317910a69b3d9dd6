import { make, makeButton } from './dom.js'

/** The keys of the page, and what they do. */
const keyHelp: readonly (readonly [keys: readonly string[], effect: string])[] = [
  [['/'], 'search the text of episodes'],
  [['j', '↓'], 'in the list: next episode'],
  [['k', '↑'], 'in the list: previous episode'],
  [['Enter'], 'in the list: open the episode'],
  [['→'], 'in an episode: next episode of the list'],
  [['←'], 'in an episode: previous episode of the list'],
  [['j'], 'in an episode: next step'],
  [['k'], 'in an episode: previous step'],
  [['d'], 'in an episode: go to the first difference'],
  [['Esc'], 'in an episode: back to the list'],
  [['?'], 'show these keys'],
]

/** Shows the keys in a dialog, which Esc closes; the focus then returns to where it was. */
export function showKeys(): void {
  const close = (): void => dialog.close()
  const dialog = make(
    'dialog',
    { class: 'key-help', 'aria-labelledby': 'key-help-title' },
    make('h2', { id: 'key-help-title' }, 'Keys'),
    make(
      'table',
      {},
      keyHelp.map(([keys, effect]) =>
        make(
          'tr',
          {},
          make(
            'th',
            { scope: 'row' },
            keys.map((key) => [make('kbd', {}, key), ' ']),
          ),
          make('td', {}, effect),
        ),
      ),
    ),
    make('p', { class: 'muted' }, 'They have no effect while you write in a field.'),
    makeButton('Close', close),
  )
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) close()
  })
  document.body.append(dialog)
  dialog.showModal()
}

/** A button that shows the keys. */
export function keysButton(): HTMLElement {
  const text = ['Keys: ', make('kbd', {}, '?')]
  return makeButton(text, showKeys, { class: 'keys', 'aria-keyshortcuts': '?', 'aria-haspopup': 'dialog' })
}

/** Whether a key press belongs to what has the focus: a field, a dialog, or a shortcut of the browser. */
export function isTaken({ target, ctrlKey, altKey, metaKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || altKey || metaKey || defaultPrevented) return true
  const element = target instanceof Element ? target : document.body
  return element.closest('input, select, textarea, dialog, [contenteditable], [role=tab]') !== null
}
