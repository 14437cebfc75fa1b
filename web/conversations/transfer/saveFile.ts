/** Milliseconds after which the browser has taken the file over. */
const TAKEN_MS = 60_000

/** Hands a file to the browser, which asks where to or puts it with the downloads. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), TAKEN_MS)
}
