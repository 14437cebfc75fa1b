// Runs before the first paint, so that nobody sees the wrong theme or language, nor waits for the scripts to see anything at all.
// The build lays it into each page, and what it shows beside it (scripts/firstPaint.ts). No other script may stand in a page.
{
  /** The placeholder of a person's name in what was drawn beforehand; its first character alone is their initial. */
  const NAME = '\uE000\uE001'
  /** Milliseconds from the request to the beginning of the page. */
  const FAR = 50
  /** Milliseconds after a frame was made, in case nobody says that it is seen. */
  const SEEN_BY_THEN = 1_000
  const page = document.documentElement
  /** The language of what was drawn beforehand, which every page begins with. */
  const drawnIn = page.lang
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

  function kept(name) {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }

  function parsed(text) {
    try {
      return JSON.parse(text || '{}') ?? {}
    } catch {
      return {}
    }
  }

  const dataOf = id => parsed(document.getElementById(id)?.textContent)

  function dress({ language = kept('language'), theme = kept('theme') }) {
    const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
    page.dataset.mantineColorScheme = dark ? 'dark' : 'light'
    if (language === 'en-US' || language === 'ms-MY' || language === 'zh-CN') page.lang = language
  }

  // Which fonts to ask for first (web/kit/tokens.css).
  page.toggleAttribute('data-x11', navigator.userAgent.includes('X11'))
  dress({})
  // Schemas are read without eval, in whichever chunk the first one is made.
  globalThis.__zod_globalConfig = { jitless: true }

  // Nothing of what follows is there while the page is being developed. `screen` is what was drawn beforehand for this address, if anything.
  const plan = dataOf('plan')
  const screen = plan.screen ?? null
  const ahead = screen === null ? [] : [...plan.scripts, ...plan.screenScripts]

  /**
   * Fetches the scripts, when the first frame is seen: what arrives before takes the processor from making it, and the threads that read scripts
   * take it from those that draw, a fifth of the way together. From a server that is far away they arrive behind the frame anyway, and are
   * asked for at once.
   */
  function fetchAhead() {
    const links = ahead.splice(0).map(href =>
      Object.assign(document.createElement('link'), {
        rel: 'modulepreload',
        fetchPriority: 'low',
        crossOrigin: '',
        href,
      }),
    )
    document.head.append(...links)
  }

  function isFar() {
    const [visit] = performance.getEntriesByType('navigation')
    return visit !== undefined && visit.responseStart - visit.requestStart > FAR
  }

  if (isFar()) fetchAhead()

  /** One after another, so that what is typed or clicked meanwhile is not kept waiting by all of them together. */
  async function run() {
    fetchAhead()
    try {
      for (const script of plan.scripts ?? []) await runInTask(script)
    } catch (error) {
      tellUnloaded()
      throw error
    }
    // The page says itself what is missing when one of these does not come (web/app/router.tsx); it asks for the screen when they have run.
    globalThis.screenRun = (async () => {
      for (const script of plan.screenScripts ?? []) await runInTask(script)
    })()
    globalThis.screenRun.catch(() => {})
  }

  /**
   * Instead of a white page, or of one that never does anything. Under a path of a host none of the scripts is found, since all of them are
   * asked for at its root. In every language: nobody is known here.
   */
  function tellUnloaded() {
    const paint = document.querySelector('first-paint')
    if (paint?.written !== true) paint?.remove()
    const note = Object.assign(document.createElement('div'), { role: 'alert' })
    note.style.cssText = 'max-width: 40em; margin: 2em auto; padding: 0 1em; font: 1em/1.5 sans-serif'
    for (const [lang, textContent] of Object.entries(plan.unloaded))
      note.append(Object.assign(document.createElement('p'), { lang, textContent }))
    document.body.prepend(note)
  }

  async function runInTask(script) {
    await new Promise(resolve => {
      setTimeout(resolve)
    })
    await import(script)
  }

  /** When something is seen; at once where nobody looks. */
  function onceSeen(work) {
    const once = () => {
      removeEventListener('visibilitychange', once)
      work()
      work = () => {}
    }
    if (document.hidden) return once()
    addEventListener('visibilitychange', once)
    new PerformanceObserver(paints => {
      if (paints.getEntriesByName('first-contentful-paint').length > 0) once()
    }).observe({ type: 'paint', buffered: true })
    requestAnimationFrame(() => setTimeout(once, SEEN_BY_THEN))
  }

  /** Who arrives, null for whoever has to sign in, and at what kind of portal. */
  function arriving() {
    const answers = dataOf('answers')
    const resultOf = call => answers[`GET ${call}`]?.result ?? null
    const preferences = { ...resultOf('/user/me/preferences'), ...parsed(kept('unsentPreference')) }
    dress(preferences)
    return {
      person: resultOf('/user/me'),
      sendKey: preferences.sendKey ?? 'Enter',
      isDemonstration: resultOf('/status/portal')?.demonstration === true,
    }
  }

  /** The conversation in the address, before there are scripts to ask for it: they take the response over (web/foundation/preloadedAnswers.ts). */
  function sendAhead() {
    const id = new URLSearchParams(location.search).get('id')
    if (screen !== 'conversation' || id === null) return
    const address = `/api/conv/${encodeURIComponent(id)}`
    const response = fetch(address, { priority: 'low' })
    response.catch(() => {})
    globalThis.sentAhead = { [`GET ${address}`]: response }
  }

  /** In a task of its own, before the next frame if the browser can: what does not wait behind a frame is seen one frame sooner. */
  function soon(work) {
    if (globalThis.scheduler?.postTask) void scheduler.postTask(work, { priority: 'user-blocking' })
    else setTimeout(work)
  }

  const copyOf = name => document.getElementById(`paint-${name}`)?.content.cloneNode(true) ?? null

  function drawn({ person, isDemonstration }) {
    if (screen === null || (screen === 'conversation') === (person === null)) return null
    const name = screen === 'login' ? 'login' : matchMedia('(min-width: 62.5em)').matches ? 'wide' : 'narrow'
    const copy = copyOf(name)
    if (copy === null) return null
    if (page.dataset.mantineColorScheme === 'dark')
      copy.querySelector('.tabler-icon-moon')?.closest('button').replaceWith(copyOf('toLight'))
    if (isDemonstration) demonstrate(copy)
    if (person?.is_superuser === false)
      for (const own of copy.querySelectorAll('[data-testid=admin-toggle], main a[href^="/admin"]')) own.remove()
    // With a conversation in the address its messages will stand there, and nobody is greeted.
    if (new URLSearchParams(location.search).has('id')) arrivalIn(copy)?.remove()
    word(copy, person?.nickname ?? '')
    remember(copy)
    return copy
  }

  const arrivalIn = copy => copy.querySelector('main h1')?.parentElement.parentElement

  function demonstrate(copy) {
    const { firstElementChild: note, lastElementChild: hint } = copyOf('demonstration')
    arrivalIn(copy)?.append(note)
    copy.querySelector('form p span:last-child')?.replaceWith(hint)
  }

  function word(copy, nickname) {
    const words = page.lang === drawnIn ? {} : (dataOf('texts')[page.lang] ?? {})
    // Most names begin with a letter, and to make a segmenter takes as long as all the rest; the table of all marks, half of that (as accounts/Avatar.tsx).
    const name = nickname.trim()
    const plain = () =>
      /^[\dA-Za-z\u3400-\u9fff](?=[\dA-Za-z\u3400-\u9fff\s]|$)/.exec(name) ??
      /^[\p{L}\p{N}](?![\p{M}\u200d])/u.exec(name)
    const initial = () =>
      (plain()?.[0] ?? new Intl.Segmenter().segment(name).containing(0)?.segment ?? '?').toUpperCase()
    const say = text => {
      if (text === NAME[0]) return initial()
      if (text === NAME) return nickname
      if (text.includes(NAME)) return plan.greetings[page.lang][new Date().getHours()].replace(NAME, () => nickname)
      if (text === 'Ctrl K' && isMac) return '⌘ K'
      return words[text] ?? text
    }
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) walker.currentNode.data = say(walker.currentNode.data)
    for (const name of ['aria-label', 'placeholder', 'title', 'data-tip']) {
      for (const element of copy.querySelectorAll(`[${name}]`))
        element.setAttribute(name, say(element.getAttribute(name)))
    }
    for (const language of copy.querySelectorAll('[data-language]'))
      language.setAttribute('aria-pressed', String(language.lang === page.lang))
  }

  function remember(copy) {
    const { rememberPassword, savedUsername } = parsed(kept('savedLoginForm'))
    if (typeof savedUsername === 'string') copy.querySelector('[name=username]')?.setAttribute('value', savedUsername)
    if (rememberPassword === true) copy.querySelector('[name=remember]')?.setAttribute('checked', '')
  }

  /** As the page itself has it (web/asking/sendKey.ts): an input method's Enter sends nothing. */
  function sends({ key, isComposing, keyCode, shiftKey, ctrlKey, metaKey, altKey }, sendKey) {
    if (key !== 'Enter' || isComposing || keyCode === 229 || altKey) return false
    return shiftKey === (sendKey === 'Shift+Enter') && (ctrlKey || metaKey) === (sendKey === 'Ctrl+Enter')
  }

  /** One can write in it at once. What was typed, and what was pressed last, is taken along when the page takes its place. */
  customElements.define(
    'first-paint',
    class extends HTMLElement {
      composing = false
      written = false
      pressed = null
      stroke = null

      connectedCallback() {
        const arrival = arriving()
        if (arrival.person !== null) sendAhead()
        const copy = drawn(arrival)
        if (copy === null) {
          this.remove()
          return run()
        }
        this.listen(arrival)
        // At the end of a page a browser looks for forms to fill. What comes behind it is looked through later, and a tenth of the way is saved.
        addEventListener('DOMContentLoaded', () => soon(() => this.show(copy)))
      }

      /** Styles, places and the frame that shows them take a task each: all in one is a long task. */
      show(copy) {
        this.append(copy)
        this.whenStyled(() => {
          void getComputedStyle(this.firstElementChild).color
          soon(() => {
            this.getBoundingClientRect()
            onceSeen(() => {
              if (matchMedia('(hover: hover)').matches) this.focusFirst()
              run()
            })
          })
        })
      }

      disconnectedCallback() {
        removeEventListener('keydown', this.find)
      }

      /** The shortcut that stands in the field itself; the others wait for the page (web/foundation/shortcuts.ts). */
      find = event => {
        const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event
        if (
          (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) &&
          !shiftKey &&
          !altKey &&
          (code === 'KeyK' || key.toLowerCase() === 'k')
        ) {
          const field = this.querySelector('input[aria-keyshortcuts]')
          if (field === null) return
          event.preventDefault()
          field.focus()
        }
      }

      listen({ sendKey }) {
        // The page behind takes the cursor to itself when it is there; not out of a word.
        const compose = composing => () => {
          this.composing = composing
          document.getElementById('root').inert = composing
        }
        this.addEventListener('compositionstart', compose(true))
        this.addEventListener('compositionend', compose(false))
        this.addEventListener('submit', event => event.preventDefault())
        this.addEventListener('click', ({ target }) => {
          this.pressed = target.closest('button') ?? this.pressed
        })
        this.addEventListener('input', ({ target }) => {
          this.written ||= target.localName === 'textarea'
          // Whoever writes on has not sent it yet.
          this.stroke = null
        })
        addEventListener('keydown', this.find)
        this.addEventListener('keydown', event => {
          if (event.target.localName !== 'textarea' || !sends(event, sendKey)) return
          event.preventDefault()
          this.stroke = event
        })
      }

      /** Nothing of it is seen before: not every browser waits for styles by itself. In a task of its own, never in that of a frame. */
      whenStyled(work) {
        const missing = new Set(
          [...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => sheet === null),
        )
        if (missing.size === 0) return work()
        this.hidden = true
        const shown = () => {
          this.hidden = false
          work()
        }
        const settle = ({ target }) => {
          if (missing.delete(target) && missing.size === 0) soon(shown)
        }
        for (const link of missing) for (const end of ['load', 'error']) link.addEventListener(end, settle)
      }

      focusFirst() {
        if (this.contains(document.activeElement)) return
        const fields = [...this.querySelectorAll('[data-testid=composer], [name=username], [name=password]')]
        fields.find(({ value }) => value === '')?.focus({ preventScroll: true })
      }
    },
  )
}
