/** What shows instructions. */
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'

export const InstructionsLine = lazyWithTexts('instructions', () =>
  import('./InstructionsLine.tsx').then(module => module.InstructionsLine),
)
export const LevelPicker = lazyWithTexts('instructions', () =>
  import('./LevelPicker.tsx').then(module => module.LevelPicker),
)
export const OwnInstructionsForm = lazyWithTexts('instructions', () =>
  import('./OwnInstructionsForm.tsx').then(module => module.OwnInstructionsForm),
)
