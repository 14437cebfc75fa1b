import { createContext, type ReactNode } from 'react'

/** The reader's preference for long lines of code; each block can be switched on its own. */
export const WrapCode = createContext(false)

/**
 * What a link to a file of the code interpreter (`sandbox:/mnt/data/…`) does. The conversation provides it, since only it
 * knows the way to the download; without it such a link is plain text.
 */
export const OpenSandboxFile = createContext<((path: string) => void) | null>(null)

/** How the citation of a source is drawn. The message provides it, since only it knows its sources. */
export const DrawCitation = createContext<((number: number) => ReactNode) | null>(null)

/** Whether the text grows, or grew on this page: then what takes long to draw is drawn in tasks of its own. */
export const Growing = createContext(false)
