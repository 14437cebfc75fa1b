// A program of the build (scripts/firstPaint.ts): prints the first screens in each language, rendered by the page's own
// components.
import { media } from './firstPaint/browserStandIn.ts'
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import type { UserRead } from '#contract/users.ts'
import { LANGUAGES } from '#contract/preferences.ts'
import type { Portal } from '#contract/status.ts'
import { ThemeToggle } from '#web/users/ThemeToggle.tsx'
import { SendHint } from '#web/asking/composer/hints.tsx'
import { ConversationHeader } from '#web/asking/ConversationHeader.tsx'
import { DemonstrationNote, partOfDay } from '#web/asking/EmptyConversation.tsx'
import { portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { changeLanguage, translate, useCurrent } from '#web/i18n/useTranslate.ts'
import { DrawerButton } from '#web/kit/IconButton.tsx'
import { useHeaderContent } from '#web/kit/pageHead.ts'
import { App, pageRouter } from '#web/app/router.tsx'
import { NAME, type Plan } from './firstPaint/screen.ts'

/** `markup` is HTML by screen and id, such as `en-US-wide`. */
export type Drawn = {
  markup: Record<'login' | 'conversation', Record<string, string>>
  texts: Plan['texts']
  /** What the page says where scripts are switched off, by language. */
  noScripts: Record<string, string>
}

// Only what is drawn of them is there.
const SOMEBODY = { id: 0, username: NAME, nickname: NAME, is_superuser: true, setting: {} } as UserRead
const DEMONSTRATION = { demonstration: true } as Portal

const drawn: Drawn = { markup: { login: {}, conversation: {} }, texts: {}, noScripts: {} }
// One after another, since the page has one language at a time.
for (const language of LANGUAGES) {
  await changeLanguage(language)
  setInitialState(useCurrent, useCurrent.getState())
  const greetings = Array.from({ length: 24 }, (_, hour) => translate(`empty.${partOfDay(hour)}`, { name: NAME }))
  drawn.texts[language] = { greetings, unloaded: translate('app.unloaded'), tooOld: translate('app.tooOld') }
  drawn.noScripts[language] = translate('app.noScripts')
  const add = (screen: keyof Drawn['markup'], name: string, markup: string) => {
    drawn.markup[screen][`${language}-${name}`] = markup
  }
  Object.assign(media, { wide: false, dark: false })
  setInitialState(useSession, { user: null })
  setInitialState(useHeaderContent, { content: null, menu: null })
  add('login', 'login', await draw('/login'))
  setInitialState(useSession, { user: SOMEBODY })
  setHeader()
  add('conversation', 'narrow', await draw('/conversation'))
  media.wide = true
  setHeader()
  add('conversation', 'wide', await draw('/conversation'))
  // Parts that web/firstPaint/screen.ts puts in where they are wanted.
  queryClient.setQueryData(portalQuery.queryKey, DEMONSTRATION)
  add('conversation', 'demonstrationNote', await draw('/conversation', <DemonstrationNote />))
  add('conversation', 'demonstrationHint', await draw('/conversation', <SendHint onEarlier={null} />))
  queryClient.clear()
  media.dark = true
  for (const screen of ['login', 'conversation'] as const)
    add(screen, 'toLight', await draw('/conversation', <ThemeToggle />))
}
// The timers of the page's modules would keep the process alive.
process.stdout.write(JSON.stringify(drawn), () => process.exit())

/** A screen fills the header in an effect, and there are none here. */
function setHeader(): void {
  setInitialState(useHeaderContent, {
    content: (
      <ConversationHeader
        id={null}
        title={translate('conversations.untitled')}
        source={null}
        parts={null}
        wide={media.wide}
      />
    ),
    menu: media.wide ? null : <DrawerButton label={translate('conversations.openList')} onClick={() => {}} />,
  })
}

/** Outside of a browser React renders a store's initial state. */
function setInitialState<S extends object>(store: { getInitialState(): S }, state: S): void {
  Object.assign(store.getInitialState(), state)
}

/** The screen at a path, or a part of it. */
async function draw(path: string, part?: ReactNode): Promise<string> {
  const router = pageRouter(createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  const children = part && <RouterContextProvider router={router}>{part}</RouterContextProvider>
  const failures: unknown[] = []
  const page = <App router={router}>{children}</App>
  const { prelude } = await prerender(page, { onError: error => void failures.push(error) })
  if (failures.length > 0) throw new Error(`${path} could not be drawn`, { cause: failures[0] })
  return new Response(prelude).text()
}
