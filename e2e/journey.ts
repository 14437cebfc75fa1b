import { type BrowserContext, expect, type Page, test as base } from '@playwright/test'
import type { Language } from '#contract/preferences.ts'
import { SESSION_COOKIE } from '#contract/users.ts'
import { untilHandoff } from './heldBack.ts'
import { keptContext, type KeptContext } from './keptContext.ts'
import { startPortal, type Account, type Portal, type PortalOptions } from './startPortal.ts'
import { watchPage } from './watchPage.ts'

type Fixtures = {
  /**
   * The browser context of the test before is taken, cleaned, in which the scripts of the page are compiled already; or
   * else a new one.
   */
  warm: boolean
  /** URL at which the browser finds the portal. */
  address: string
  /** A new account. */
  person: Account
  /** A browser page of that account on the conversation screen. */
  chatPage: Page
  /** Opens the conversation screen for an account in another browser. */
  openPageFor(account: Account): Promise<Page>
  /** Signs the browser in as somebody, whoever it was before. */
  comeAs(account: Account): Promise<void>
  /** Lets people read this language until the end of the test: administrators are those of other tests as well. */
  readIn(language: Language, ...accounts: readonly Account[]): Promise<void>
}

type Shared = { portalOptions: PortalOptions; portal: Portal; kept: KeptContext }

/**
 * An end-to-end test: the whole program in a separate process, and people at real browser pages. A file that sets
 * options gets a portal of its own.
 */
export const test = base.extend<Fixtures & { watched: void }, Shared>({
  portalOptions: [{}, { option: true, scope: 'worker' }],
  portal: [
    async ({ portalOptions }, provide) => {
      const portal = await startPortal(portalOptions)
      await provide(portal)
      await portal.close()
    },
    { scope: 'worker' },
  ],
  kept: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, provide) => {
      const kept = keptContext()
      await provide(kept)
      await kept.close()
    },
    { scope: 'worker' },
  ],
  warm: [true, { option: true }],
  context: async (
    { browser, warm, kept, baseURL, locale, viewport, isMobile, hasTouch, colorScheme, forcedColors, reducedMotion },
    provide,
    testInfo,
  ) => {
    const options = [baseURL, locale, viewport, isMobile, hasTouch, colorScheme, forcedColors, reducedMotion]
    const make = () => browser.newContext()
    const context = warm ? await kept.take(JSON.stringify(options), make) : await make()
    await provide(context)
    if (!warm) await context.close()
    else if (testInfo.status === testInfo.expectedStatus) await kept.putBack()
    else await kept.close()
  },
  address: ({ portal }, provide) => provide(portal.url),
  baseURL: ({ address }, provide) => provide(address),

  /**
   * Checked in every test: no script error, no violation of the content security policy, no request to another host.
   */
  watched: [
    async ({ context, address }, provide) => {
      const { complaints, stop } = watchPage(context, address)
      await provide()
      stop()
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],

  person: async ({ portal }, provide) => provide(await portal.person()),
  chatPage: async ({ page, context, person, address }, provide) => {
    await bringSession(context, person, address)
    await page.goto('/conversation')
    await untilHandoff(page)
    await provide(page)
  },
  openPageFor: async ({ browser, address, contextOptions }, provide) => {
    const contexts: { context: BrowserContext; complaints: string[] }[] = []
    await provide(async account => {
      const context = await browser.newContext({ ...contextOptions, baseURL: address })
      contexts.push({ context, ...watchPage(context, address) })
      await bringSession(context, account, address)
      const page = await context.newPage()
      await page.goto('/conversation')
      await untilHandoff(page)
      return page
    })
    for (const { context } of contexts) await context.close()
    expect(contexts.flatMap(({ complaints }) => complaints)).toEqual([])
  },
  comeAs: ({ context, address }, provide) =>
    provide(async account => {
      await context.clearCookies()
      await bringSession(context, account, address)
    }),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  readIn: async ({}, provide) => {
    const readers = new Set<Account>()
    await provide(async (language, ...accounts) => {
      for (const account of accounts) {
        readers.add(account)
        await account.result('PATCH', '/user/me/preferences', { language })
      }
    })
    // Some are gone by then.
    for (const account of readers) await account.call('PATCH', '/user/me/preferences', { language: 'zh-CN' })
  },
})

/** Signs a browser in with a session made over the API, which is faster than the login page. */
export async function bringSession(context: BrowserContext, { cookie }: Account, url: string): Promise<void> {
  await context.addCookies(
    cookie.split('; ').map(pair => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return { name, value, url, httpOnly: name.includes(SESSION_COOKIE), sameSite: 'Lax' as const }
    }),
  )
}

export { expect }
