/**
 * The only inline script of a built page (scripts/firstPaint.ts). Before the first paint it applies theme and language
 * and shows the screen that the build has drawn; after it, it runs the scripts of the page. It may import no library.
 */
import type { UserRead } from '#contract/users.ts'
import type { Preferences } from '#contract/preferences.ts'
import type { Portal } from '#contract/status.ts'
import { sends } from '#web/asking/composer/sendKey.ts'
import { fetchAhead } from '#web/foundation/preloadedAnswers.ts'
import { shortcutOf } from '#web/foundation/shortcuts.ts'
import { readStored, readStoredObject } from '#web/foundation/stored.ts'
import { fillOlderBrowsers, isTooOld } from './olderBrowsers.ts'
import { type Plan, screenFor } from './screen.ts'
import { isServerFar, painted, preloadScripts, runScripts, showNote, stylesLoaded, urgentTask } from './scripts.ts'

declare global {
  interface HTMLElementTagNameMap {
    'first-paint': FirstPaint
  }
}

/** As far as the server has sent them with the page (server/foundation/http/page.ts). */
type Answers = {
  'GET /user/me'?: { result: UserRead }
  'GET /user/me/preferences'?: { result: Preferences }
  'GET /status/portal'?: { result: Portal }
}

const plan: Plan = readJson('plan')

fillOlderBrowsers()
applyPreferences({})
// Schemas are read without eval, in whichever chunk the first one is made.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
if (isServerFar() && !isTooOld()) preloadScripts(plan)

/** The drawn screen. One can type in it at once; it records what is done, for the handoff to the page (handoff.tsx). */
export class FirstPaint extends HTMLElement {
  /** Whether an input method is composing a word. */
  composing = false
  hasTyped = false
  clicked: HTMLElement | null = null
  /** The keydown that would have sent the text. */
  sendKeydown: KeyboardEvent | null = null

  connectedCallback(): void {
    if (isTooOld()) return showNote(plan, 'tooOld')
    const answers: Answers = readJson('answers')
    const unsent: Partial<Preferences> = readStoredObject('unsentPreference')
    const preferences = { ...answers['GET /user/me/preferences']?.result, ...unsent }
    applyPreferences(preferences)
    const user = answers['GET /user/me']?.result ?? null
    const isDemonstration = answers['GET /status/portal']?.result.demonstration === true
    const conversation = new URLSearchParams(location.search).get('id')
    if (plan.screen?.name !== (user === null ? 'login' : 'conversation')) {
      this.remove()
      void runScripts(plan)
      return
    }
    if (user !== null && conversation !== null) fetchAhead(`/api/conv/${encodeURIComponent(conversation)}`)
    this.record(preferences.sendKey ?? 'Enter')
    const content = screenFor(plan, { user, isDemonstration, conversation })
    // Added after the page is parsed, so that the browser does not search it for forms to fill before the first paint.
    addEventListener('DOMContentLoaded', () => void this.show(content))
  }

  /** Computes style, layout and paint in one task each, since together they are a long task. */
  private async show(content: DocumentFragment): Promise<void> {
    await urgentTask()
    await stylesLoaded()
    this.append(content)
    if (this.firstElementChild !== null) void getComputedStyle(this.firstElementChild).color
    await urgentTask()
    this.getBoundingClientRect()
    await painted()
    if (matchMedia('(hover: hover)').matches) this.focusFirstField()
    await runScripts(plan)
  }

  private record(sendKey: Preferences['sendKey']): void {
    this.addEventListener('compositionstart', () => (this.composing = true))
    this.addEventListener('compositionend', () => (this.composing = false))
    this.addEventListener('submit', event => event.preventDefault())
    this.addEventListener('click', ({ target }) => {
      this.clicked = (target instanceof Element ? target.closest('button') : null) ?? this.clicked
    })
    this.addEventListener('input', ({ target }) => {
      this.hasTyped ||= target instanceof HTMLTextAreaElement
      // Typing on means that it is not to be sent yet.
      this.sendKeydown = null
    })
    this.addEventListener('keydown', event => {
      if (!(event.target instanceof HTMLTextAreaElement) || !sends(event, sendKey)) return
      event.preventDefault()
      this.sendKeydown = event
    })
    // The one shortcut that leads into a field; the others wait for the page (web/foundation/useShortcut.ts).
    addEventListener('keydown', event => {
      const field = this.querySelector<HTMLElement>('[data-testid=search]')
      if (field === null || shortcutOf(event, event.target) !== 'search') return
      event.preventDefault()
      field.focus()
    })
  }

  private focusFirstField(): void {
    if (this.contains(document.activeElement)) return
    const fields = [...this.querySelectorAll<HTMLInputElement>('textarea, [name=username], [name=password]')]
    fields.find(({ value }) => value === '')?.focus({ preventScroll: true })
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
  document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light'
  if (language in plan.texts) document.documentElement.lang = language
}
