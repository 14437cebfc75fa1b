/** What has to do with notices by the browser. */
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'

export const NoticeOffer = lazyWithTexts('notices', () =>
  import('./NoticeOffer.tsx').then(module => module.NoticeOffer),
)
export const NoticeSettings = lazyWithTexts('notices', () =>
  import('./NoticeSettings.tsx').then(module => module.NoticeSettings),
)
