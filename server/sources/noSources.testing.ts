import { openSources, type SourceDependencies } from './source.ts'

/** A program without any source: what was stored can be read. */
export const NO_SOURCES = openSources([], {} as SourceDependencies) // nothing is opened of an empty list
