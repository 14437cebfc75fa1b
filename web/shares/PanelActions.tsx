import type { Share } from '#contract/shares.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'

const ShareActions = lazyComponent(() =>
  Promise.all([import('./gifts/ShareActions.tsx'), loadTexts('gifts'), loadTexts('usage')]).then(
    ([module]) => module.ShareActions,
  ),
)

/** What one can do with one's part of an account. */
export const PanelActions = ({ share }: { share: Share }) => (
  <ShareActions share={share} onLoadError={() => undefined} />
)
