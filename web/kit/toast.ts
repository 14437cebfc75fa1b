import { reportFailure } from '#web/foundation/failures.ts'
import { showToast } from '#web/foundation/toasts.ts'

/** Short news that the screen does not show by itself. */
export const toast = {
  success: (title: string, text = ''): void => showToast({ tone: 'success', title, text }),
  /** Something that can be taken back for 10 s. */
  undoable: (title: string, undo: () => void): void => showToast({ tone: 'success', title, text: '', undo }),
  /** A no of our own making; a failed call goes to `failure`. */
  refusal: (title: string, text = ''): void => showToast({ tone: 'refusal', title, text }),
  transport: (title: string, text = ''): void => showToast({ tone: 'transport', title, text }),
  failure: reportFailure,
}
