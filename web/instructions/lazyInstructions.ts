import { loadTexts } from '#web/i18n/useTranslate.ts'
import { type LazyComponent, lazyComponent } from '#web/kit/lazyComponent.tsx'
import type { ComponentType } from 'react'

/** What shows instructions, loaded with its texts: nothing of it is part of the first load. */
const withTexts = <Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> =>
  lazyComponent(() => Promise.all([load(), loadTexts('instructions')]).then(([component]) => component))

export const InstructionsLine = withTexts(() =>
  import('./InstructionsLine.tsx').then(module => module.InstructionsLine),
)
export const LevelPicker = withTexts(() => import('./LevelPicker.tsx').then(module => module.LevelPicker))
export const OwnInstructionsForm = withTexts(() =>
  import('./OwnInstructionsForm.tsx').then(module => module.OwnInstructionsForm),
)
