import { type Archive, openArchive } from '#web/reading/documents/archive.ts'

/** A picture of an export; in words where it is in the zip but cannot be had. */
export type ExportedPicture = { name: string; content: Uint8Array } | 'tooLarge' | 'unreadable'

/** The id of a file at the web service begins its name in the zip: file-AbCd-photo.jpg, file_0000ab.dat. */
const NAME = /(?:^|\/)(file[-_][A-Za-z0-9]+)(?:[-.][^/]*)?$/

/** The pictures in the zip of a ChatGPT export, by their ids there. */
export function picturesIn(file: Blob) {
  let opened: Promise<{ archive: Archive; names: ReadonlyMap<string, string> } | null> | undefined

  async function open() {
    const start = new Uint8Array(await file.slice(0, 2).arrayBuffer())
    if (start[0] !== 0x50 || start[1] !== 0x4b) return null
    const archive = await openArchive(file)
    const names = archive.names.flatMap(name => {
      const id = NAME.exec(name)?.[1]
      return id === undefined ? [] : [[id, name] as const]
    })
    return { archive, names: new Map(names) }
  }

  return {
    /** Null: it is not in the file. */
    async read(id: string, most: number): Promise<ExportedPicture | null> {
      const zip = await (opened ??= open())
      const name = zip?.names.get(id)
      if (zip === null || name === undefined) return null
      const content = await zip.archive.content(name, most)
      return content === null ? 'tooLarge' : { name: name.split('/').at(-1) ?? id, content }
    },
  }
}
