/** Colours, type and the bones of the page. */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f7f8f9; --ink: #1b1f24; --muted: #5b6470; --line: #dfe2e6; --faint: #eef0f2;
  --link: #0b5c99; --worse: #a83c00; --better: #0b5c99; --steady: #2f6b4a; --unclear: #6b5a00; --mark: #fff1c2;
  --worse-soft: #fdeee6; --steady-soft: #e9f4ee; --unclear-soft: #f8f3dd; --better-soft: #e6f1fa;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --raised: #1c2025; --ink: #e8eaed; --muted: #a3abb5; --line: #333a42; --faint: #23282e;
    --link: #7cbcf0; --worse: #ff9d6b; --better: #7cbcf0; --steady: #84cfa3; --unclear: #dcc76a; --mark: #4a3f14;
    --worse-soft: #38231a; --steady-soft: #1b2f25; --unclear-soft: #2f2b18; --better-soft: #182a3a;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100% }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif;
}
main, header.top, footer { max-width: 78rem; margin: 0 auto; padding: 0 1.5rem }
header.top { padding-top: 2.5rem }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; letter-spacing: -.01em }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 1rem }
h3 { font-size: 1rem; margin: 0 0 .5rem }
h4 { font-size: 1rem; margin: 0 0 .5rem }
p { margin: 0 0 .5rem; max-width: 75ch }
section { margin: 3rem 0 }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em }
bdi { overflow-wrap: break-word }
.short { white-space: nowrap }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px }
[hidden] { display: none !important }
[tabindex='-1']:focus { outline: none }
.muted { color: var(--muted) }
.number { font-variant-numeric: tabular-nums }
.unseen { font: .85em ui-monospace, monospace; color: var(--worse); border: 1px solid currentColor; border-radius: 3px; padding: 0 .2em }
.skip { position: absolute; left: -999px }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; z-index: 2 }
nav.top { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); margin-top: 1.5rem }
nav.top ul { display: flex; gap: 1.5rem; list-style: none; max-width: 78rem; margin: 0 auto; padding: .6rem 1.5rem; overflow-x: auto }
nav.top a { color: var(--muted); text-decoration: none; white-space: nowrap }
nav.top a:hover { color: var(--ink); text-decoration: underline }
button, select, input {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem;
}
button { cursor: pointer }
button:hover:enabled, select:hover, input:hover { border-color: var(--muted) }
button:disabled { color: var(--muted); opacity: .6; cursor: default }
.warnings { margin: 1.5rem 0 0; padding: .75rem 1rem .75rem 2rem; background: var(--unclear-soft); border-left: 3px solid var(--unclear); border-radius: 0 6px 6px 0 }
.warning { padding: .75rem 1rem; background: var(--worse-soft); border-left: 3px solid var(--worse); overflow-wrap: anywhere }
footer { color: var(--muted); font-size: .85rem; padding-top: 1.5rem; padding-bottom: 3rem; border-top: 1px solid var(--line) }
`
