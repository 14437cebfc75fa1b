import { existsSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { ViteDevServer } from 'vite'
import { defineConfig } from 'vitest/config'
import { PAGE_VERSION } from './scripts/pageVersion.ts'
import { CHROMIUM_ARGUMENTS, findTestChromium } from './testing/chromium.ts'
import { PATIENCE } from './testing/patience.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'

// Workers and what they start inherit it.
process.env['TMPDIR'] = temporaryFolder()

const GLOBAL_SETUP = './testing/globalSetup.ts'

const DEADLINES = { testTimeout: 4 * PATIENCE, hookTimeout: 4 * PATIENCE, expect: { poll: { timeout: PATIENCE } } }

const RED_DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
)

/** Pictures are loaded by the browser itself: those of the poster and files that begin with a1c7 are there, any other one at the second attempt. */
const servedPictures = {
  name: 'served-pictures',
  configureServer({ middlewares }: ViteDevServer) {
    middlewares.use('/api/files', ({ url = '' }, response) => {
      if (/^\/(?:file-Poster\d|a1c70000-[\da-f-]+)\/(?:content|thumbnail)$|\?attempt=/.test(url))
        response.setHeader('content-type', 'image/png').end(RED_DOT)
      else response.writeHead(404).end()
    })
  },
}

export default defineConfig({
  test: {
    // Most tests wait for a server, a database or a browser, so that two at a time leave a part of two cores idle.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['{contract,server,simulator,architecture,testing,web,scripts,bench}/**/*.test.ts'],
          // Files of a worker share the modules that they import: each would take a second to load them again.
          isolate: false,
          globalSetup: existsSync(GLOBAL_SETUP) ? [GLOBAL_SETUP] : [],
          setupFiles: ['./testing/wholeFakeTime.ts'],
          ...DEADLINES,
        },
      },
      {
        plugins: [react(), servedPictures],
        define: PAGE_VERSION,
        // Named here, so that the first run of a clean clone finds them before a test does, and reloads nothing in its
        // midst.
        optimizeDeps: {
          include: ['react', 'react-dom/client', 'react/jsx-dev-runtime', 'vitest-browser-react'],
          // The search for dependencies stops at our own #imports, so every file of the page is a place to begin.
          entries: ['web/**/*.ts', 'web/**/*.tsx'],
        },
        test: {
          name: 'browser',
          include: ['web/**/*.test.tsx'],
          // All files in one page: to load the modules again for each took more of the processor than the tests.
          isolate: false,
          setupFiles: ['./testing/wholeFakeTime.ts', './web/cleanUp.testing.ts'],
          ...DEADLINES,
          css: true,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: findTestChromium(), args: CHROMIUM_ARGUMENTS },
              contextOptions: { locale: 'zh-CN' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
