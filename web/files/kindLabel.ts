/** As people call them, whatever the letters at the end of a name are. */
const LABELS: Readonly<Record<string, string>> = {
  docx: 'DOC',
  xlsx: 'XLS',
  pptx: 'PPT',
  markdown: 'MD',
  html: 'HTM',
  jpeg: 'JPG',
}
const MAX_LETTERS = 4

/** What stands for an icon: PDF, DOC, XLS. */
export function kindLabel({ name }: { name: string }): string {
  const ending = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const label = Object.hasOwn(LABELS, ending) ? LABELS[ending] : undefined
  return label ?? (ending === '' || ending.length > MAX_LETTERS ? 'TXT' : ending.toUpperCase())
}
