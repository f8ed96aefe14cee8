// The style sheet of the reference page: light and dark, wide and narrow.

export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --text: #1d2430; --soft: #5b6675; --line: #e2e6ec; --page: #fff; --card: #f6f8fa;
  --accent: #0b62c4; --green: #1a7f4b; --amber: #9a5b00; --red: #b3261e }
@media (prefers-color-scheme: dark) { :root { --text: #e3e8ef; --soft: #98a3b3; --line: #2b323d; --page: #12161c;
  --card: #1a2029; --accent: #6cb0ff; --green: #5fcf94; --amber: #e5b15c; --red: #ff8a80 } }
* { box-sizing: border-box }
html { scroll-behavior: smooth; scroll-padding-top: 1rem }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif; display: grid;
  grid-template-columns: 17rem minmax(0, 1fr) }
a { color: var(--accent); text-decoration: none } a:hover { text-decoration: underline }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1.25rem; border-right: 1px solid var(--line);
  font-size: .875rem }
nav .brand { font-size: 1.25rem; font-weight: 700; color: var(--text) }
nav h2 { font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); margin: 1.5rem 0 .4rem }
nav ul { list-style: none; margin: 0; padding: 0 } nav li { margin: .15rem 0 }
nav a { color: inherit; display: block } nav b { width: 4.8em; display: inline-block }
main { max-width: 52rem; padding: 2rem clamp(1rem, 4vw, 3rem) 6rem }
h1 { font-size: 2rem; margin: 0 } h1 small { font-size: 1rem; color: var(--soft); font-weight: 400 }
section > h2 { margin: 3rem 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line) }
article { margin: 0 0 1.5rem; padding: 1.1rem 1.25rem 1.25rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem }
article:target, dl > div:target { border-color: var(--accent); outline: 2px solid var(--accent) }
h3 { margin: 0 0 .5rem; font-size: 1.05rem } h3 span { font-weight: 400; color: var(--soft); margin-left: .4rem }
h4 { margin: 1.1rem 0 .3rem; font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft) }
p { margin: .5rem 0 }
code, pre { font: .875em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere }
pre { margin: .3rem 0 0; padding: .8rem 1rem; overflow-x: auto; background: var(--page); border: 1px solid var(--line);
  border-radius: .4rem; font-size: .8125rem } pre code { font-size: inherit; overflow-wrap: normal }
dl { margin: .3rem 0 0 } dl > div { padding: .4rem 0; border-top: 1px solid var(--line) } dl > div:first-child { border: 0 }
dt code { font-weight: 600 } dt i { font-style: normal; color: var(--soft); font-size: .8125rem }
dd { margin: 0; font-size: .9375rem } dd dl { padding-left: 1rem; border-left: 2px solid var(--line) }
dd i { color: var(--soft) }
.answers > div { display: grid; grid-template-columns: 3rem minmax(0, 1fr) }
b { text-transform: uppercase; font-size: .8em; letter-spacing: .03em }
.get, .s2 { color: var(--green) } .post, .s3 { color: var(--accent) } .put, .s4 { color: var(--amber) }
.delete, .s5 { color: var(--red) }
@media (max-width: 56rem) { body { display: block } nav { position: static; height: auto; border: 0;
  border-bottom: 1px solid var(--line) } }
`
