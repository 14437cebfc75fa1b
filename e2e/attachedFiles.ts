import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { aPdf, aWordFile, linesOfText, paragraph, pdfWith } from '#web/reading/files.testing.ts'
import { painting } from '#simulator/answers/pictures.ts'
import type { Portal } from './startPortal.ts'

/** A file as Playwright gives it to a page. */
export type UploadedSample = { name: string; mimeType: string; buffer: Buffer }

export const aPhoto = (name: string, seed = 1): UploadedSample => ({
  name,
  mimeType: 'image/png',
  buffer: painting(seed, 'dawn'),
})

const given = async (file: File, mimeType: string): Promise<UploadedSample> => ({
  name: file.name,
  mimeType,
  buffer: Buffer.from(await file.arrayBuffer()),
})

/** A paper of so many pages; `words` on each. */
export const aPaper = (name: string, pages: number, words = 60): Promise<UploadedSample> =>
  given(
    aPdf(
      Array.from({ length: pages }, (_, page) =>
        linesOfText(
          Array.from(
            { length: Math.ceil(words / 12) },
            (_line, line) => `Page ${page + 1} line ${line + 1}: the year was quiet and the house was warm all winter`,
          ),
        ),
      ),
      name,
    ),
    'application/pdf',
  )

/** Pages with drawings and nothing that can be read. */
export const aScan = (name: string, pages: number): Promise<UploadedSample> => {
  const contents = Array.from({ length: pages }, (_, page) => `0.2 0.2 0.2 rg ${80 + page * 3} 500 300 120 re f`)
  return given(new File([pdfWith(contents, '', [])], name), 'application/pdf')
}

export const aLetter = (name: string): Promise<UploadedSample> =>
  given(
    aWordFile(paragraph('Dear neighbours,') + paragraph('the heating is mended on Monday.'), {}, name),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  )

const MODELS = [
  { code: 'blind', name: 'blind-7b', label: 'Blind 7B', context_length: 16_000 },
  { code: 'sees', name: 'gpt-4o', label: 'Sees 4', context_length: 32_768 },
  { code: 'large', name: 'simulated-large', label: 'Large', context_length: 200_000 },
]

/** An endpoint with a model that sees no pictures, one that does, and a large one that takes files as well. */
export async function giveModels(portal: Portal): Promise<void> {
  const admin = await portal.admin()
  await admin.result('POST', '/system/upstreams', {
    source: 'openai_api',
    label: 'Seeing',
    base_url: portal.simulator.url,
    secret: 'key-of-the-journeys',
    models: MODELS,
    model_settings: MODELS.map(({ code, name, context_length }) => ({
      code,
      name,
      set: {
        ...UNKNOWN_CAPABILITIES,
        takes_pictures: code !== 'blind',
        takes_files: code === 'large',
        context_length,
      },
      request_fields: null,
    })),
  })
}
