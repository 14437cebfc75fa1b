import * as z from 'zod/mini'
import { storable } from './envelope.ts'

export const PAGE_SIZES = ['20', '50', '100', '200'] as const
export const DEFAULT_PAGE_SIZE = 50

/**
 * What the lists of the admin area take besides their own filters: which page, in which order, and the words that its
 * rows have.
 */
export const paging = {
  /** From 1. A page behind the last one is empty. */
  page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/))),
  /** Rows of a page. */
  size: z.optional(z.enum(PAGE_SIZES)),
  order: z.optional(z.enum(['asc', 'desc'])),
  words: z.optional(z.string().check(z.trim(), z.maxLength(200), storable)),
}

/** A page of rows, and how many there are on all of them. */
export function pageOf<Row extends z.ZodMiniType>(row: Row) {
  return z.object({ rows: z.array(row), total: z.int() })
}

/** Which rows a query asks for. */
export function rowsAsked({ page = '1', size }: { page?: string | undefined; size?: string | undefined }): {
  limit: number
  offset: number
} {
  const limit = size === undefined ? DEFAULT_PAGE_SIZE : Number(size)
  return { limit, offset: (Number(page) - 1) * limit }
}
