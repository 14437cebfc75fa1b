/**
 * node scripts/node.mjs scripts/icons.ts: draws the app icons from the mark in web/index.html. Run it when the mark
 * changes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { CHROMIUM_ARGUMENTS, findChromium } from '#testing/chromium.ts'

const WEB = join(import.meta.dirname, '../web')
const FOLDER = join(WEB, 'public/icons')
const PAPER = '#F4F2EC'

/** Share of the icon's side that the mark takes. Systems may cut a maskable icon to a circle of 80 %. */
const ICONS = [
  { file: 'icon-192.png', size: 192, share: 0.68, radius: 0.22 },
  { file: 'icon-512.png', size: 512, share: 0.68, radius: 0.22 },
  { file: 'maskable-512.png', size: 512, share: 0.52, radius: 0 },
  { file: 'apple-touch.png', size: 180, share: 0.64, radius: 0 },
]

const mark = decodeURIComponent(
  /href="data:image\/svg\+xml,(.*?)"/.exec(readFileSync(join(WEB, 'index.html'), 'utf8'))?.[1] ?? '',
)
const drawing = mark.replace(/^<svg[^>]*>/, '').replace(/<\/svg>$/, '')
if (drawing === '') throw new Error('web/index.html holds no mark')

mkdirSync(FOLDER, { recursive: true })
writeFileSync(join(FOLDER, 'icon.svg'), `${iconOf(512, 0.68, 0.22)}\n`)
const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS })
for (const { file, size, share, radius } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${iconOf(size, share, radius)}`)
  await page.screenshot({ path: join(FOLDER, file), omitBackground: true })
  await page.close()
}
await browser.close()

/** An SVG with the mark in the middle of a square; the mark's own view box is 24 wide. */
function iconOf(size: number, share: number, radius: number): string {
  const scale = (size * share) / 24
  const edge = (size * (1 - share)) / 2
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}"><rect width="${size}" height="${size}" ` +
    `rx="${size * radius}" fill="${PAPER}"/><g transform="translate(${edge} ${edge}) scale(${scale})">${drawing}</g></svg>`
  )
}
