import type { UserRead } from '#contract/users.ts'
import { initialOf } from '#contract/initial.ts'
import { keysOf, SHORTCUTS } from '#web/foundation/shortcuts.ts'
import { savedLogin } from '#web/foundation/stored.ts'

/** What the build passes to the inline script, as JSON in the head of a page. */
export type Plan = {
  /** In the order in which they are run. */
  scripts: string[]
  /**
   * By language: greetings for each hour of the day, and what is shown when the scripts do not arrive, or the browser
   * cannot run them.
   */
  texts: Record<string, { greetings: string[]; unloaded: string; tooOld: string }>
  /** The screen that is drawn in the page, and the scripts that it needs beside those above. */
  screen?: { name: 'login' | 'conversation'; scripts: string[] }
}

/**
 * Who opens the page (null: they have to sign in), whether the portal is a demonstration, and which conversation is
 * opened, if any.
 */
export type Visit = { user: UserRead | null; isDemonstration: boolean; conversation: string | null }

/** The placeholder for the name of the user; no name has this character. */
export const NAME = '\uE000'

/**
 * A copy of the drawn screen, with what depends on who arrives. Components mark what is replaced or removed here:
 * `data-first-paint` is `theme`, `empty` (all that stands in a conversation without messages) or `superuser` (only for
 * them).
 */
export function screenFor(plan: Plan, { user, isDemonstration, conversation }: Visit): DocumentFragment {
  const { lang, dataset } = document.documentElement
  const isWide = matchMedia('(min-width: 62.5em)').matches
  const content = copyOf(plan.screen?.name === 'login' ? 'login' : isWide ? 'wide' : 'narrow')
  const [theme, empty] = ['theme', 'empty'].map(mark => content.querySelector(`[data-first-paint=${mark}]`))
  if (dataset['mantineColorScheme'] === 'dark') theme?.replaceWith(copyOf('toLight'))
  if (user === null) {
    // As attributes, so that the handoff copies only what somebody changes.
    const { rememberPassword, savedUsername } = savedLogin()
    content.querySelector('[name=username]')?.setAttribute('value', savedUsername)
    content.querySelector('[name=remember]')?.toggleAttribute('checked', rememberPassword)
    return content
  }
  if (isDemonstration) {
    empty?.append(copyOf('demonstrationNote'))
    content.querySelector('form p')?.replaceWith(copyOf('demonstrationHint'))
  }
  content.querySelector('kbd')?.replaceChildren(keysOf(SHORTCUTS.search.strokes[0]).join(' '))
  const greeting = plan.texts[lang]?.greetings[new Date().getHours()] ?? ''
  content.querySelector('h1')?.replaceChildren(greeting.replace(NAME, () => user.nickname))
  const [avatar, nickname] = content.querySelector('[data-testid=user-menu]')?.children ?? []
  avatar?.replaceChildren(initialOf(user.nickname))
  nickname?.replaceChildren(user.nickname)
  if (conversation !== null) empty?.remove()
  if (!user.is_superuser) for (const each of content.querySelectorAll('[data-first-paint=superuser]')) each.remove()
  return content
}

function copyOf(name: string): DocumentFragment {
  const template = document.getElementById(`${document.documentElement.lang}-${name}`)
  if (!(template instanceof HTMLTemplateElement)) throw new Error(`nothing is drawn as ${name}`)
  return document.importNode(template.content, true)
}
