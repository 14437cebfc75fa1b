import type { Page } from '@playwright/test'
import type { Language } from '#contract/preferences.ts'
import { bringSession } from './journey.ts'
import type { Account, Portal } from './startPortal.ts'

export type Look = { width: number; language: Language; theme: 'light' | 'dark' }

/** A person's page in one size, language and theme, of which screenshots are taken. */
export type PictureSession = {
  page: Page
  look: Look
  person: Account
  portal: Portal
  take(name: string): Promise<void>
}

/** Signs the administrator in instead of the person. Each state of the admin area begins so, and can be taken alone. */
export async function asAdministrator({ page, look: { language }, portal }: PictureSession): Promise<Account> {
  const admin = await portal.admin()
  await admin.result('PATCH', '/user/me/preferences', { language })
  await page.context().clearCookies()
  await bringSession(page.context(), admin, portal.url)
  return admin
}
