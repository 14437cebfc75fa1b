/** A ref for the head of what lies over the page from the side: on phones, where the toasts come from above, they come from below while it is there. */
export function leavesHeadFree(head: HTMLElement | null): () => void {
  const { dataset } = document.documentElement
  if (head !== null) dataset.toasts = 'below'
  return () => {
    delete dataset.toasts
  }
}
