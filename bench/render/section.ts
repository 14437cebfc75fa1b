import { chromium } from '@playwright/test'
import { CHROMIUM_ARGUMENTS, findChromium } from '#testing/chromium.ts'
import { streamsPart } from './streams.ts'
import { threadsPart } from './threads.ts'

/** The cost of showing a growing answer and of opening a long conversation. */
export async function renderSection(options: { rounds: number; quick: boolean; withProduct: boolean }): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS })
  try {
    await streamsPart(browser, options)
    await threadsPart(browser, options)
  } finally {
    await browser.close()
  }
}
