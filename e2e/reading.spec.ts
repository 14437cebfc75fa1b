import type { Page } from '@playwright/test'
import { aChinesePdf, aProtectedPdf } from '#web/reading/files.testing.ts'
import { aLetter, giveModels, type UploadedSample } from './attachedFiles.ts'
import { expect, test } from './journey.ts'

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
  await expect(inPhase(page, 'needsPassword')).toHaveCount(1)
})
