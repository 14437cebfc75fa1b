import { reportFailure } from '#web/foundation/failures.ts'
import { showToast } from '#web/foundation/toasts.ts'

/** Short news that the screen does not show by itself. */
export const toast = {
  success: (title: string, text = ''): void => void showToast({ tone: 'success', title, text }),
  /** Something that can be undone for 10 s. Returns the id by which its toast can be dropped. */
  undoable: (title: string, undo: () => void): number => showToast({ tone: 'success', title, text: '', undo }),
  /** A refusal made in the page; a failed call goes to `failure`. */
  refusal: (title: string, text = ''): void => void showToast({ tone: 'refusal', title, text }),
  /** The page that was wanted is not the one that is shown. */
  turnedAway: (title: string, text: string): void => void showToast({ tone: 'turnedAway', title, text }),
  transport: (title: string, text = ''): void => void showToast({ tone: 'transport', title, text }),
  failure: reportFailure,
}
