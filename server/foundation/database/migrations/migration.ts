import type { Engine } from '../definition.ts'

/** One step of the schema. Once released it is never edited: its checksum is kept in each database it made. */
export type Migration = {
  version: number
  name: string
  statements(engine: Engine): string[]
}
