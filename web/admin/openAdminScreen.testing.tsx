import type { ReactNode } from 'react'
import { loadAdminTexts } from '#web/i18n/useTranslate.ts'
import { loadAdminSlots } from '#web/sources/list/adminSlots.ts'
import { openScreen } from '#web/kit/openScreen.testing.tsx'

/**
 * For tests: a screen of the admin area at an address, with its texts and what sources put there, without the frame.
 */
export async function openAdminScreen(Screen: () => ReactNode, address: string) {
  await Promise.all([loadAdminTexts(), loadAdminSlots()])
  return openScreen(Screen, address)
}
