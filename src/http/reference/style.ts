// The style sheet of the reference page: the colours and fonts of the dashboard (web/src/theme.css; a test compares them).

const LIGHT = `color-scheme: light;
  --ground: oklch(0.975 0.006 85); --panel: oklch(0.996 0.002 85); --raised: oklch(0.955 0.008 85);
  --line: oklch(0.895 0.01 80); --line-strong: oklch(0.8 0.014 75); --ink: oklch(0.25 0.025 265); --soft: oklch(0.47 0.022 262);
  --accent: oklch(0.53 0.115 62); --accent-fill: oklch(0.77 0.145 72); --accent-wash: oklch(0.95 0.04 82);
  --sent: oklch(0.5 0.1 168); --sending: oklch(0.5 0.12 245); --failed: oklch(0.52 0.17 25);`

const DARK = `color-scheme: dark;
  --ground: oklch(0.175 0.018 266); --panel: oklch(0.207 0.02 266); --raised: oklch(0.25 0.022 266);
  --line: oklch(0.29 0.022 266); --line-strong: oklch(0.4 0.026 266); --ink: oklch(0.935 0.008 85); --soft: oklch(0.72 0.018 262);
  --accent: oklch(0.825 0.135 76); --accent-fill: oklch(0.8 0.14 74); --accent-wash: oklch(0.28 0.045 74);
  --sent: oklch(0.78 0.12 168); --sending: oklch(0.78 0.105 238); --failed: oklch(0.745 0.145 25);`

export const REFERENCE_STYLE = `
:root { ${LIGHT}
  --font-sans: -apple-system, "Segoe UI Variable Text", "Segoe UI", "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  --font-mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
  --font-serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Charter, "Liberation Serif", Georgia, serif }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${DARK} } }
:root[data-theme="dark"] { ${DARK} }
* { box-sizing: border-box }
[hidden] { display: none !important }
html { scroll-padding-top: 1rem }
body { margin: 0; background: var(--ground); color: var(--ink); font: .875rem/1.5 var(--font-sans); display: grid;
  grid-template-columns: 17rem minmax(0, 1fr); overflow-wrap: anywhere; -webkit-font-smoothing: antialiased }
:focus-visible { outline: 2px solid var(--accent-fill); outline-offset: 1px; border-radius: 3px }
::selection { background: var(--accent-fill); color: oklch(0.22 0.04 70) }
a { color: var(--accent); text-decoration: underline; text-underline-offset: 2px; text-decoration-color: var(--line-strong) }
a:hover { text-decoration-color: currentColor }
summary { cursor: pointer }
ul { list-style: none; margin: 0; padding: 0 }
p { margin: .5rem 0 }
small { color: var(--soft); font-weight: 400 }

nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem .75rem; border-right: 1px solid var(--line);
  font-size: .8125rem; scrollbar-width: thin }
nav .brand { display: flex; align-items: center; gap: .625rem; padding: 0 .5rem; font: 1.25rem var(--font-serif) }
nav .brand small { font: .8125rem var(--font-sans) }
svg { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; flex: none }
svg .fill { fill: var(--accent-fill); stroke: none }
nav a { color: var(--ink); text-decoration: none; display: flex; gap: .5rem; align-items: baseline; padding: .25rem .5rem; border-radius: .375rem }
nav a:hover, nav summary:hover { background: var(--raised) }
nav li b { width: 4.6em; flex: none }
nav li code { display: none }
nav summary { padding: .375rem .5rem; border-radius: .375rem; color: var(--soft) }
nav details[open] > summary { color: var(--ink); font-weight: 600 }
nav details ul { margin: 0 0 .5rem }
nav h2 { display: block; margin: 1rem .5rem .25rem; font: 500 .75rem var(--font-sans); letter-spacing: 0; color: var(--soft) }
nav > div > ul { margin-top: .5rem; padding-top: .5rem; border-top: 1px solid var(--line) }
#found ul { margin: 0; padding: 0; border: 0 }
nav p { margin: .25rem .5rem; color: var(--soft); font-size: .75rem }
#search { position: relative; margin: 1rem 0 .75rem }
#search label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
#search input { width: 100%; height: 2.25rem; padding: 0 2rem 0 .625rem; font: inherit; color: inherit; background: var(--panel);
  border: 1px solid var(--line-strong); border-radius: .375rem }
#search input::placeholder { color: var(--soft); opacity: 1 }
#search input::-webkit-search-cancel-button { display: none }
kbd { position: absolute; right: .5rem; top: .5rem; padding: 0 .375rem; font: .75rem/1.25rem var(--font-mono); color: var(--soft);
  border: 1px solid var(--line); border-radius: .25rem }

main { max-width: 56rem; padding: 1.75rem clamp(1rem, 4vw, 2.5rem) 6rem }
h1 { font: 2rem/1.2 var(--font-serif); letter-spacing: -.01em; margin: 0 } h1 small { font: .875rem var(--font-sans) }
header p { max-width: 44rem; color: var(--soft) }
h2 { display: inline; font: 1.35rem/1.3 var(--font-serif); letter-spacing: -.01em; margin: 0 }
section { margin: 2rem 0 } section > h2 { display: block; margin-bottom: .75rem }
.group { margin: 2.5rem 0 } .group > summary { margin-bottom: .75rem; border-radius: .375rem }
.group > summary span { color: var(--soft); margin-left: .5rem }
article { margin: 0 0 1rem; padding: 1rem 1.125rem 1.125rem; background: var(--panel); border: 1px solid var(--line); border-radius: .5rem }
article:target { border-color: var(--accent) }
dl > div:target { background: var(--accent-wash); box-shadow: 0 0 0 .375rem var(--accent-wash); border-color: transparent }
h3 { margin: 0 0 .375rem; font-size: .9375rem } h3 span { font-weight: 400; color: var(--soft); margin-left: .25rem }
.brief { padding: .75rem 1rem; margin-bottom: .625rem }
h4 { margin: 1rem 0 .25rem; font-size: .75rem; font-weight: 500; color: var(--soft) }
code, pre { font: .8125rem/1.55 var(--font-mono) }
pre { position: relative; margin: .25rem 0 0; padding: .625rem 4.25rem .625rem .75rem; white-space: pre-wrap; background: var(--raised);
  border-radius: .375rem }
pre button { position: absolute; top: .375rem; right: .375rem; padding: .125rem .5rem; font: .75rem/1.5 var(--font-sans); color: var(--ink);
  background: var(--panel); border: 1px solid var(--line-strong); border-radius: .25rem; cursor: pointer }
pre button:hover { background: var(--ground) }
dl { margin: .25rem 0 0 } dl > div { padding: .375rem 0; border-top: 1px solid var(--line) } dl > div:first-child { border: 0 }
dt code { font-weight: 600 } dt i, dd i { font-style: normal; color: var(--soft); font-size: .8125rem }
dd { margin: 0 } dd dl { padding-left: .75rem; border-left: 2px solid var(--line) }
.responses > div { display: grid; grid-template-columns: 3rem minmax(0, 1fr) }
b { text-transform: uppercase; font-size: .6875rem; letter-spacing: .03em }
.get, .s2 { color: var(--sent) } .post, .s3 { color: var(--sending) } .put, .s4 { color: var(--accent) } .delete, .s5 { color: var(--failed) }
@media (max-width: 56rem) { body { display: block } nav { position: static; height: auto; border: 0;
  border-bottom: 1px solid var(--line) } kbd { display: none } nav a { padding: .5rem } nav summary { padding: .5rem } }
`
