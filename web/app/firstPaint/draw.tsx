import { createMemoryHistory } from '@tanstack/react-router'
import { prerender } from 'react-dom/static'
import type { UserRead } from '#contract/accounts.ts'
import type { Language } from '#contract/preferences.ts'
import { ConversationHeader } from '#web/asking/ConversationHeader.tsx'
import { partOfDay } from '#web/asking/EmptyConversation.tsx'
import { portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { changeLanguage, translate } from '#web/i18n/useTranslate.ts'
import { useHeaderContent } from '#web/kit/pageHead.ts'
import { DrawerButton } from '#web/kit/IconButton.tsx'
import { App } from '../App.tsx'
import { pageRouter } from '../router.tsx'

/** A screen before anything is known: without a session, or with one, and then with the list in view or not. */
export type Screen = 'login' | 'wide' | 'narrow'

/** Stands for a person's name; of two characters that no name has, the first of them for the initial. */
export const NAME = '\uE000\uE001'

/** For the build, which makes a page of each screen: with its own markup, so that it cannot differ from what will follow it. */
export async function draw(screen: Screen, language: Language): Promise<string> {
  await changeLanguage(language)
  const signedIn = screen !== 'login'
  useSession.setState({ user: signedIn ? SOMEBODY : null })
  // A screen fills the header in an effect, and there are none here.
  const header = (
    <ConversationHeader id={null} title={translate('conversations.untitled')} source={null} wide={screen === 'wide'} />
  )
  const menu = <DrawerButton label={translate('conversations.openList')} onClick={() => {}} />
  useHeaderContent.setState({ content: signedIn ? header : null, menu: screen === 'narrow' ? menu : null })
  const router = pageRouter(createMemoryHistory({ initialEntries: [signedIn ? '/conversation' : '/login'] }))
  await router.load()
  const failures: unknown[] = []
  const { prelude } = await prerender(<App router={router} />, {
    onError: error => {
      failures.push(error)
    },
  })
  const markup = await new Response(prelude).text()
  if (failures.length > 0) throw new Error(`the first paint of ${screen} could not be drawn`, { cause: failures[0] })
  return markup.replaceAll(/<!--.*?-->/g, '')
}

/** From now on the drawn screens say that this is a demonstration. */
export function demonstrate(): void {
  queryClient.setQueryData(portalQuery.queryKey, {
    name: null,
    version: '',
    time_zone: 'UTC',
    demonstration: true,
    sources: [],
    models: [],
    max_text_length: 0,
    max_running_asks_per_user: 1,
  })
}

/** The greeting for each hour of the day. */
export async function greetings(language: Language): Promise<string[]> {
  await changeLanguage(language)
  return Array.from({ length: 24 }, (_, hour) => translate(`empty.${partOfDay(hour)}`, { name: NAME }))
}

/** What is said where the scripts of the page do not come. */
export async function unloaded(language: Language): Promise<string> {
  await changeLanguage(language)
  return translate('app.unloaded')
}

// Only what a first paint shows of a person is there.
const SOMEBODY = { id: 0, username: NAME, nickname: NAME, is_superuser: true, setting: {} } as UserRead
