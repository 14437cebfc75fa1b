import type { Page } from '@playwright/test'
import { aChinesePdf, aProtectedPdf } from '#web/reading/files.testing.ts'
import { aLetter, giveModels, type UploadedSample } from './attachedFiles.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { TEXTS } from './steps.ts'

const zhCN = TEXTS['zh-CN']

const asSample = async (file: File): Promise<UploadedSample> => ({
  name: file.name,
  mimeType: file.type,
  buffer: Buffer.from(await file.arrayBuffer()),
})

const attach = (page: Page, ...files: UploadedSample[]) => page.getByTestId('attach-input').setInputFiles(files)
const inPhase = (page: Page, phase: string) => page.locator(`[data-testid=attachment][data-phase=${phase}]`)

test('files are read by a worker that loads what it is made of, and can ask nobody for anything', async ({
  chatPage: page,
  portal,
}) => {
  await giveModels(portal)
  await page.reload()
  const policies: (string | undefined)[] = []
  page.on('response', response => {
    if (response.url().includes('/assets/readingWorker-')) policies.push(response.headers()['content-security-policy'])
  })
  const started = page.waitForEvent('worker', worker => worker.url().includes('readingWorker-'))
  // Its letters are in a table that the page brings; the others need a library each.
  await attach(page, await asSample(aChinesePdf()), await aLetter('letter.docx'))
  const worker = await started
  const asked = await worker.evaluate(() =>
    fetch('/api/status/common').then(({ status }) => `answered ${status}`, String),
  )
  expect(asked).toMatch(/^TypeError/)
  await expect(inPhase(page, 'ready')).toHaveCount(2)
  expect(policies).toEqual([expect.stringContaining("connect-src 'none'")])
  await attach(page, await asSample(aProtectedPdf()))
  const protectedFile = inPhase(page, 'needsPassword')
  await expect(protectedFile).toHaveCount(1)
  await protectedFile.getByRole('button', { name: zhCN['attachments.enterPassword'] }).click()
  const password = protectedFile.locator('input[type=password]')
  await expect(password).toBeFocused()
  await password.fill('guess')
  await page.keyboard.press('Enter')
  await expect(page.getByText(zhCN['attachments.wrongPassword'])).toBeVisible()
  await checkAccessibility(page)
  await inPhase(page, 'needsPassword').locator('input[type=password]').fill('secret')
  await page.keyboard.press('Enter')
  await expect(inPhase(page, 'ready')).toHaveCount(3)
})
