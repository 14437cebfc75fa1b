import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGUMENTS, findTestChromium } from './testing/chromium.ts'
import { PATIENCE } from './testing/patience.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'

// Workers, portals and browsers inherit it.
process.env['TMPDIR'] = temporaryFolder()

/**
 * Pages of a context share a process, and with it the scripts that were compiled for the page before
 * (e2e/keptContext.ts).
 */
const ONE_PROCESS_A_SITE = '--process-per-site'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  // Journeys wait for a server and a browser, so that two at a time leave a tenth of two cores idle.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  timeout: 4 * PATIENCE,
  expect: { timeout: PATIENCE },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'zh-CN',
    // As patient as an expectation, rather than as the whole journey.
    actionTimeout: PATIENCE,
    // A tenth of the processor's work was transitions, drawn frame by frame. Tests of components have them.
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findTestChromium(), args: [...CHROMIUM_ARGUMENTS, ONE_PROCESS_A_SITE] },
  },
})
