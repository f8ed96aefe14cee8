// The script of the reference page: theme, search, copy buttons. A text, because it is sent within the page and its hash is
// in the content security policy. It adds what works only with it, so that the page can be read without it.

/** The origin in the samples while PUBLIC_URL is not set. The script replaces it by that of the page. */
export const UNKNOWN_ORIGIN = 'http://localhost:3000'

export const REFERENCE_SCRIPT = `
'use strict'
try {
  const theme = localStorage.getItem('terce-theme')
  if (theme) document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the theme of the system applies.
}

document.addEventListener('DOMContentLoaded', () => {
  const KINDS = { operation: 'Operations', field: 'Fields', problem: 'Problems' }
  const SHOWN = 12
  const find = (id) => document.getElementById(id)
  const query = find('query')
  const found = find('found')
  const contents = find('contents')

  const entries = [...document.querySelectorAll('[data-kind]')].map((element) => {
    const { kind, label } = element.dataset
    const isOperation = kind === 'operation'
    const title = element.querySelector(isOperation ? 'h3' : 'dt code')
    const name = label ?? title.textContent
    const text = element.querySelector(isOperation ? 'p' : 'dd').textContent
    return { kind, id: element.id, title, name, names: name.toLowerCase(), text: text.toLowerCase() }
  })

  function rank({ names, text }, words) {
    if (words.every((word) => names.includes(word))) return names.split(/[^a-z]+/).includes(words[0]) ? 0 : 1
    return words.every((word) => names.includes(word) || text.includes(word)) ? 2 : 3
  }

  function make(tag, text) {
    const element = document.createElement(tag)
    element.textContent = text
    return element
  }

  function linkTo({ kind, id, title, name }) {
    const link = make('a', kind === 'operation' ? '' : name)
    link.href = '#' + id
    if (kind === 'operation') link.append(...[...title.children].map((child) => child.cloneNode(true)))
    const item = document.createElement('li')
    item.append(link)
    return item
  }

  function search() {
    const words = query.value.toLowerCase().split(/\\s+/).filter(Boolean)
    found.replaceChildren()
    found.hidden = words.length === 0
    contents.hidden = words.length > 0
    if (words.length === 0) return
    const ranked = entries.map((entry) => ({ entry, rank: rank(entry, words) })).filter(({ rank }) => rank < 3)
    ranked.sort((a, b) => a.rank - b.rank)
    const status = make('p', ranked.length === 1 ? '1 match' : ranked.length + ' matches')
    status.setAttribute('role', 'status')
    found.append(status)
    for (const [kind, label] of Object.entries(KINDS)) {
      const own = ranked.filter(({ entry }) => entry.kind === kind)
      if (own.length === 0) continue
      const list = document.createElement('ul')
      list.append(...own.slice(0, SHOWN).map(({ entry }) => linkTo(entry)))
      found.append(make('h2', label), list)
      if (own.length > SHOWN) found.append(make('p', own.length - SHOWN + ' more. Add a word.'))
    }
  }

  query.addEventListener('input', search)
  query.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') found.querySelector('a')?.click()
    if (event.key === 'ArrowDown') found.querySelector('a')?.focus()
  })
  found.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const links = [...found.querySelectorAll('a')]
    const next = links[links.indexOf(document.activeElement) + step]
    ;(next ?? query).focus()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      query.value = ''
      search()
    }
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === query) return
    event.preventDefault()
    query.focus()
  })
  find('search').hidden = false

  for (const sample of document.querySelectorAll('pre')) {
    const code = sample.querySelector('code')
    code.textContent = code.textContent.replaceAll('${UNKNOWN_ORIGIN}/', location.origin + '/')
    const button = make('button', 'Copy')
    button.type = 'button'
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent)
        button.textContent = 'Copied'
      } catch {
        // A page without TLS has no clipboard: the reader presses Ctrl-C.
        getSelection().selectAllChildren(code)
        button.textContent = 'Selected'
      }
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    sample.append(button)
  }

  function reveal() {
    const target = find(decodeURIComponent(location.hash.slice(1)))
    const group = target?.closest('details')
    if (!group || group.open) return
    group.open = true
    target.scrollIntoView()
  }
  addEventListener('hashchange', reveal)
  reveal()
})
`
