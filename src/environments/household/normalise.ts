import { pythonStrip } from '../python-strip.js'

/**
 * AgentBoard's tidying of an action (its `parseAction`), in the agent's wording and before any perturbation: outer blanks go; where `put`
 * stands anywhere in the text, even inside `computer`, every ` in ` becomes ` in/on `, or every ` on ` where there is no ` in `; one
 * full stop at the end goes, so that `look..` is left as `look.`.
 */
export function normaliseAction(action: string): string {
  let text = pythonStrip(action)
  if (text.includes('put')) {
    if (text.includes(' in ')) text = text.replaceAll(' in ', ' in/on ')
    else text = text.replaceAll(' on ', ' in/on ')
  }
  return text.endsWith('.') ? pythonStrip(text.slice(0, -1)) : text
}
