import type { Page } from '@playwright/test'
import type { Language } from '#contract/preferences.ts'
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
