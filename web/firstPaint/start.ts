/**
 * The only inline script of a built page. Before the first paint it applies theme and language and shows the screen that the build has
 * drawn; after it, it runs the scripts of the page. scripts/firstPaint.ts bundles it into each page, and the content security policy
 * allows it by its hash. It may import no library.
 */
import type { UserRead } from '#contract/accounts.ts'
import type { Preferences } from '#contract/preferences.ts'
import type { Portal } from '#contract/status.ts'
import { sends } from '#web/asking/composer/sendKey.ts'
import { fetchAhead } from '#web/foundation/preloadedAnswers.ts'
import { shortcutOf } from '#web/foundation/shortcuts.ts'
import { readStored, readStoredObject } from '#web/foundation/stored.ts'
import type { Plan } from './plan.ts'
import { screenFor } from './screen.ts'
import { isServerFar, painted, preloadScripts, runScripts, stylesheetsLoaded, urgentTask } from './scripts.ts'

declare global {
  var __zod_globalConfig: { jitless?: boolean } | undefined
  interface HTMLElementTagNameMap {
    'first-paint': FirstPaint
  }
}

/** As far as the server has sent them with the page (server/foundation/http/firstAnswers.ts). */
type Answers = {
  'GET /user/me'?: { result: UserRead }
  'GET /user/me/preferences'?: { result: Preferences }
  'GET /status/portal'?: { result: Portal }
}

const page = document.documentElement
const plan: Plan = readJson('plan')

applyPreferences({})
// Schemas are read without eval, in whichever chunk the first one is made.
globalThis.__zod_globalConfig = { jitless: true }
if (isServerFar()) preloadScripts(plan)

/** One can write in it at once. It records what is done, for the handoff to the page (handoff.tsx). */
export class FirstPaint extends HTMLElement {
  /** An input method is in the middle of a word. */
  composing = false
  hasTyped = false
  clicked: HTMLElement | null = null
  /** The key that would have sent what is written. */
  sendKeydown: KeyboardEvent | null = null

  connectedCallback(): void {
    const answers: Answers = readJson('answers')
    const preferences = {
      ...answers['GET /user/me/preferences']?.result,
      ...(readStoredObject('unsentPreference') as Partial<Preferences>), // the page has stored it
    }
    applyPreferences(preferences)
    const arrival = {
      person: answers['GET /user/me']?.result ?? null,
      isDemonstration: answers['GET /status/portal']?.result.demonstration === true,
      conversation: new URLSearchParams(location.search).get('id'),
    }
    if (plan.screen === undefined || (plan.screen.name === 'login') !== (arrival.person === null)) {
      this.remove()
      void runScripts(plan)
      return
    }
    if (arrival.conversation !== null && arrival.person !== null)
      fetchAhead(`/api/conv/${encodeURIComponent(arrival.conversation)}`)
    this.record(preferences.sendKey ?? 'Enter')
    const content = screenFor(plan.screen, arrival)
    // Forms that come after the end of the page are not searched by the browser's form filling before the first paint.
    addEventListener('DOMContentLoaded', () => void this.show(content))
  }

  disconnectedCallback(): void {
    removeEventListener('keydown', this.focusSearch)
  }

  /** Style, layout and paint in a task each: all three together are a long task. */
  private async show(content: DocumentFragment): Promise<void> {
    await urgentTask()
    await stylesheetsLoaded()
    this.append(content)
    if (this.firstElementChild !== null) void getComputedStyle(this.firstElementChild).color
    await urgentTask()
    this.getBoundingClientRect()
    await painted()
    if (matchMedia('(hover: hover)').matches) this.focusFirstField()
    await runScripts(plan)
  }

  private record(sendKey: Preferences['sendKey']): void {
    const setComposing = (composing: boolean) => () => {
      this.composing = composing
      // The page takes the focus when it is there; not out of a word.
      const root = document.getElementById('root')
      if (root !== null) root.inert = composing
    }
    this.addEventListener('compositionstart', setComposing(true))
    this.addEventListener('compositionend', setComposing(false))
    this.addEventListener('submit', event => event.preventDefault())
    this.addEventListener('click', ({ target }) => {
      this.clicked = (target instanceof Element ? target.closest('button') : null) ?? this.clicked
    })
    this.addEventListener('input', ({ target }) => {
      this.hasTyped ||= target instanceof HTMLTextAreaElement
      // Whoever writes on has not sent it yet.
      this.sendKeydown = null
    })
    this.addEventListener('keydown', event => {
      if (!(event.target instanceof HTMLTextAreaElement) || !sends(event, sendKey)) return
      event.preventDefault()
      this.sendKeydown = event
    })
    addEventListener('keydown', this.focusSearch)
  }

  /** The one shortcut that leads into a field; the others wait for the page (web/foundation/useShortcut.ts). */
  private focusSearch = (event: KeyboardEvent): void => {
    const field = this.querySelector<HTMLInputElement>('[data-testid=search]')
    if (field === null || shortcutOf(event, event.target) !== 'search') return
    event.preventDefault()
    field.focus()
  }

  private focusFirstField(): void {
    if (this.contains(document.activeElement)) return
    const fields = this.querySelectorAll<HTMLInputElement>('textarea, [name=username], [name=password]')
    ;[...fields].find(({ value }) => value === '')?.focus({ preventScroll: true })
  }
}

customElements.define('first-paint', FirstPaint)

function readJson(id: string) {
  return JSON.parse(document.getElementById(id)?.textContent ?? '{}')
}

/** What the account prefers, else what this device keeps; any other theme counts as none. */
function applyPreferences(preferences: Partial<Preferences>): void {
  const language = preferences.language ?? readStored('language') ?? ''
  const theme = preferences.theme === undefined ? readStored('theme') : preferences.theme
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  page.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light'
  if (language in plan.unloaded) page.lang = language
}
