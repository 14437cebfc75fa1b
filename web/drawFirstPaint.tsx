/**
 * A program of the build (scripts/firstPaint.ts): prints the first screens of the page in each language, as HTML. They are rendered by the
 * page's own components, so that they cannot differ from what replaces them.
 */
import { media } from './firstPaint/browserStandIn.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import type { UserRead } from '#contract/accounts.ts'
import { type Language, LANGUAGES } from '#contract/preferences.ts'
import { ThemeToggle } from '#web/accounts/ThemeToggle.tsx'
import { SendHint } from '#web/asking/composer/hints.tsx'
import { ConversationHeader } from '#web/asking/ConversationHeader.tsx'
import { DemonstrationNote, partOfDay } from '#web/asking/EmptyConversation.tsx'
import { portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { changeLanguage, translate, useCurrent } from '#web/i18n/useTranslate.ts'
import { DrawerButton } from '#web/kit/IconButton.tsx'
import { Kit } from '#web/kit/Kit.tsx'
import { useHeaderContent } from '#web/kit/pageHead.ts'
import { App } from './app/App.tsx'
import { pageRouter } from './app/router.tsx'
import { NAME } from './firstPaint/plan.ts'

export type Drawn = Awaited<ReturnType<typeof drawAll>>

/** Only what a first paint shows of a person is there. */
const SOMEBODY = { id: 0, username: NAME, nickname: NAME, is_superuser: true, setting: {} } as UserRead
const DEMONSTRATION = {
  name: null,
  version: '',
  time_zone: 'UTC',
  demonstration: true,
  sources: [],
  models: [],
  max_text_length: 0,
  max_running_asks_per_user: 1,
}

const drawn: Partial<Record<Language, Drawn>> = {}
// One after another, since the page has one language at a time.
for (const language of LANGUAGES) {
  await changeLanguage(language)
  setInitialState(useCurrent, useCurrent.getState())
  drawn[language] = await drawAll()
}
// The timers of the page's modules would keep the process alive.
process.stdout.write(JSON.stringify(drawn), () => process.exit())

async function drawAll() {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  return {
    markup: { ...(await drawScreens()), ...(await drawParts()) },
    /** For each hour of the day. */
    greetings: hours.map(hour => translate(`empty.${partOfDay(hour)}`, { name: NAME })),
    unloaded: translate('app.unloaded'),
  }
}

async function drawScreens() {
  Object.assign(media, { wide: false, dark: false })
  setInitialState(useSession, { user: null })
  setInitialState(useHeaderContent, { content: null, menu: null })
  const login = await drawScreen('/login')
  setInitialState(useSession, { user: SOMEBODY })
  setHeader(false)
  const narrow = await drawScreen('/conversation')
  media.wide = true
  setHeader(true)
  return { login, narrow, wide: await drawScreen('/conversation') }
}

/** A screen fills the header in an effect, and there are none here. */
function setHeader(wide: boolean): void {
  setInitialState(useHeaderContent, {
    content: <ConversationHeader id={null} title={translate('conversations.untitled')} source={null} wide={wide} />,
    menu: wide ? null : <DrawerButton label={translate('conversations.openList')} onClick={() => {}} />,
  })
}

/** What web/firstPaint/screen.ts puts in where it is wanted. */
async function drawParts() {
  media.dark = true
  queryClient.setQueryData(portalQuery.queryKey, DEMONSTRATION)
  const parts = {
    toLight: await drawPart(<ThemeToggle />),
    demonstrationNote: await drawPart(<DemonstrationNote />),
    demonstrationHint: await drawPart(<SendHint />),
  }
  queryClient.clear()
  return parts
}

async function drawScreen(path: string): Promise<string> {
  return draw(<App router={await routerAt(path)} />)
}

async function drawPart(part: ReactNode): Promise<string> {
  return draw(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <RouterContextProvider router={await routerAt('/conversation')}>{part}</RouterContextProvider>
      </Kit>
    </QueryClientProvider>,
  )
}

async function routerAt(path: string) {
  const router = pageRouter(createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  return router
}

async function draw(content: ReactNode): Promise<string> {
  const failures: unknown[] = []
  const { prelude } = await prerender(content, { onError: error => void failures.push(error) })
  const markup = await new Response(prelude).text()
  if (failures.length > 0) throw new Error('a first screen could not be drawn', { cause: failures[0] })
  return markup
}

/** Outside of a browser React renders a store's initial state. */
function setInitialState<S extends object>(store: { getInitialState(): S }, state: S): void {
  Object.assign(store.getInitialState(), state)
}
