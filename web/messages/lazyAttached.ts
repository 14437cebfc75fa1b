/** What shows pictures and files that were sent. */
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'

export const Lightbox = lazyWithTexts('attachments', () =>
  import('./attached/Lightbox.tsx').then(module => module.Lightbox),
)
export const AnswerLightbox = lazyWithTexts('attachments', () =>
  import('./attached/AnswerLightbox.tsx').then(module => module.AnswerLightbox),
)
export const SentFiles = lazyWithTexts('attachments', () =>
  import('./attached/SentFiles.tsx').then(module => module.SentFiles),
)
export const GoneLine = lazyWithTexts('attachments', () =>
  import('./attached/GoneLine.tsx').then(module => module.GoneLine),
)
