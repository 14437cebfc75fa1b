import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'

/** Who read a conversation; loaded after everything else. */
export const OversightLine = lazyWithTexts('oversight', () =>
  import('./OversightLine.tsx').then(module => module.OversightLine),
)
