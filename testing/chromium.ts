import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Playwright's default list: an own --disable-features replaces it, so it is repeated here. */
const FEATURES_OF_PLAYWRIGHT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]
/**
 * Pages of Chromium's address bar: each new window loads some two hundred files for them, while the page under test
 * loads ten.
 */
const ADDRESS_BAR = ['WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxPopup', 'WebUIOmniboxPopupDebug']

/** No traffic of the browser's own, nothing running beside the page; and root cannot use the sandbox. */
export const CHROMIUM_ARGUMENTS = [
  `--disable-features=${[...FEATURES_OF_PLAYWRIGHT, ...ADDRESS_BAR].join(',')}`,
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  '--no-first-run',
  ...(isRoot() ? ['--no-sandbox'] : []),
]

/** The same engine without windows: tests take a fifth less of the processor with it. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge']

const FIXED_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  'C:/Program Files (x86)/Google/Chrome/Application/chrome.exe',
]

const PLAYWRIGHT_BINARIES = [
  'chromium-*/chrome-linux*/chrome',
  'chromium-*/chrome-mac*/*.app/Contents/MacOS/*',
  'chromium-*/chrome-win*/chrome.exe',
]

const PLAYWRIGHT = join(import.meta.dirname, '../node_modules/playwright/cli.js')

/** Finds a browser as people have it: the one named in the environment, an installed one, or Playwright's download. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return find([...NAMES, HEADLESS_SHELL], env)
}

/** Finds a browser for the tests: of those, one that needs no window before others. */
export function findTestChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return find([HEADLESS_SHELL, ...NAMES], env)
}

function find(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const named = env.COMMONS_TEST_CHROMIUM
  if (named) return existsSync(named) ? named : undefined
  return [...installed(names, env), ...FIXED_PATHS, ...downloaded(env)].find(path => existsSync(path))
}

/**
 * Like findChromium, and installs a browser if there is none. undefined when that fails; then print
 * CHROMIUM_IS_MISSING.
 */
export function ensureChromium(): string | undefined {
  const found = findChromium()
  if (found !== undefined || process.env.COMMONS_TEST_CHROMIUM) return found
  console.log('No Chromium found; installing one ...')
  // The system's package comes with the libraries it needs; Playwright's download does not.
  if (isRoot() && existsSync('/usr/bin/apt-get')) {
    run('apt-get', ['update'])
    run('apt-get', ['install', '-y', '--no-install-recommends', HEADLESS_SHELL, 'fonts-noto-cjk'])
    if (findChromium() === undefined)
      run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'])
  }
  if (findChromium() === undefined) run(process.execPath, [PLAYWRIGHT, 'install', 'chromium'])
  return findChromium()
}

export const CHROMIUM_IS_MISSING =
  'The browser tests need Chromium and none could be installed: ' +
  'install Chromium or Chrome, or name one with COMMONS_TEST_CHROMIUM=/path/to/chromium.'

function installed(names: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const folders = ['/usr/bin', ...(env.PATH ?? '').split(delimiter)]
  return names.flatMap(name => folders.map(folder => join(folder, name)))
}

function downloaded(env: NodeJS.ProcessEnv): string[] {
  const caches = [
    env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
    join(homedir(), 'AppData/Local/ms-playwright'),
  ].filter(cache => cache !== undefined && existsSync(cache))
  return caches.flatMap(cwd => globSync(PLAYWRIGHT_BINARIES, { cwd }).map(path => join(cwd ?? '', path)))
}

function run(command: string, args: string[]): void {
  // Lets Playwright fail soon when its download address cannot be reached.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' }
  spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env, timeout: 300_000 })
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
