import { newId } from './newId.ts'

/** A tab of the browser, the same through reloads, and new where nothing is known of an earlier page of it. */
export type Tab = { id: string; isNew: boolean }

const nameOf = (user_id: number) => `tab.${user_id}`

/** This tab, as one person's. Its id is put away only while no page has it: in a duplicate of the tab it would be found as well. */
export function takeTab(user_id: number): Tab {
  try {
    const id = window.sessionStorage.getItem(nameOf(user_id))
    window.sessionStorage.removeItem(nameOf(user_id))
    return id === null ? { id: newId(), isNew: true } : { id, isNew: false }
  } catch {
    return { id: newId(), isNew: true }
  }
}

/** For the next page in this tab. */
export function leaveTab(user_id: number, { id }: Tab): void {
  try {
    window.sessionStorage.setItem(nameOf(user_id), id)
  } catch {
    // Forbidden: the next page is a new tab's, and takes what this one has left.
  }
}
