import { lazyComponent, type LazyComponent } from '#web/kit/lazyComponent.tsx'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { closeShareDialog, type ShareDialog, useShareDialog } from './shareDialog.ts'

const OpenShareDialog: LazyComponent<{ dialog: ShareDialog; onClose(): void }> = lazyComponent(() =>
  Promise.all([
    import('./OpenShareDialog.tsx'),
    ...(['shares', 'usage', 'gifts'] as const).map(area => loadTexts(area)),
  ]).then(([module]) => module.OpenShareDialog),
)

/** Shows what the panel of an account opens: the panel itself is gone by then. */
export function ShareDialogHost() {
  const { dialog } = useShareDialog()
  if (dialog === null) return null
  return <OpenShareDialog dialog={dialog} onClose={closeShareDialog} onLoadError={closeShareDialog} />
}
