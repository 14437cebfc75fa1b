/** What the first screen shows of accounts of which everybody has a part. */
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'

const loadMeter = () => import('./ShareMeter.tsx')
const loadAsk = () => import('./ShareAsk.tsx')

export const ShareMeter = lazyWithTexts('shares', () => loadMeter().then(module => module.ShareMeter))
export const SharePill = lazyWithTexts('shares', () => loadMeter().then(module => module.SharePill))
export const ShareLine = lazyWithTexts('shares', () => loadAsk().then(module => module.ShareLine))
export const ShareCost = lazyWithTexts('shares', () => loadAsk().then(module => module.ShareCost))
export const ShareRefusal = lazyWithTexts('shares', () => loadAsk().then(module => module.ShareRefusal))
/** What helps somebody who may not ask now. */
export const Ways = lazyWithTexts('usage', () =>
  Promise.all([import('./Ways.tsx'), loadTexts('shares')]).then(([module]) => module.Ways),
)
