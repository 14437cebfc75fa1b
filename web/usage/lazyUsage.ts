/** What shows one's own use. */
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'

export const MyUsage = lazyWithTexts('usage', () => import('./MyUsage.tsx').then(module => module.MyUsage))
export const FurtherLimits = lazyWithTexts('usage', () =>
  import('./FurtherLimits.tsx').then(module => module.FurtherLimits),
)
