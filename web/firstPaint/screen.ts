import type { UserRead } from '#contract/accounts.ts'
import { initialOf } from '#web/accounts/initial.ts'
import { keysOf, SHORTCUTS } from '#web/foundation/shortcuts.ts'
import { savedLogin } from '#web/foundation/stored.ts'
import { NAME, type Plan } from './plan.ts'

/** Who arrives, null for whoever has to sign in; at what kind of portal; at which conversation, if at one. */
export type Arrival = { person: UserRead | null; isDemonstration: boolean; conversation: string | null }

/**
 * A copy of the drawn screen, with what depends on who arrives. Components mark what is replaced or removed here: `data-first-paint` is
 * `theme`, `empty` (all that stands in a conversation without messages) or `superuser` (only for them).
 */
export function screenFor({ name, greetings }: NonNullable<Plan['screen']>, arrival: Arrival): DocumentFragment {
  const { person, isDemonstration, conversation } = arrival
  const { lang, dataset } = document.documentElement
  const isWide = matchMedia('(min-width: 62.5em)').matches
  const content = copyOf(name === 'login' ? name : isWide ? 'wide' : 'narrow')
  const [theme, empty] = ['theme', 'empty'].map(mark => content.querySelector(`[data-first-paint=${mark}]`))
  if (dataset['mantineColorScheme'] === 'dark') theme?.replaceWith(copyOf('toLight'))
  if (isDemonstration) {
    empty?.append(copyOf('demonstrationNote'))
    content.querySelector('form p')?.replaceWith(copyOf('demonstrationHint'))
  }
  if (conversation !== null) empty?.remove()
  content.querySelector('kbd')?.replaceChildren(keysOf(SHORTCUTS.search.strokes[0]).join(' '))
  if (person === null) {
    fillInLogin(content)
    return content
  }
  content.querySelector('h1')?.replaceChildren(greetings[lang]?.[new Date().getHours()] ?? '')
  fillInName(content, person.nickname)
  if (!person.is_superuser) for (const each of content.querySelectorAll('[data-first-paint=superuser]')) each.remove()
  return content
}

function copyOf(name: string): DocumentFragment {
  const template = document.getElementById(`${document.documentElement.lang}-${name}`)
  if (!(template instanceof HTMLTemplateElement)) throw new Error(`nothing is drawn as ${name}`)
  return document.importNode(template.content, true)
}

function fillInName(content: DocumentFragment, nickname: string): void {
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    if (node.nodeValue === NAME[0]) node.nodeValue = initialOf(nickname)
    else if (node.nodeValue?.includes(NAME)) node.nodeValue = node.nodeValue.replace(NAME, () => nickname)
  }
}

/** As attributes, so that the handoff copies only what somebody changes. */
function fillInLogin(content: DocumentFragment): void {
  const { rememberPassword, savedUsername } = savedLogin()
  content.querySelector('[name=username]')?.setAttribute('value', savedUsername)
  if (rememberPassword) content.querySelector('[name=remember]')?.setAttribute('checked', '')
}
