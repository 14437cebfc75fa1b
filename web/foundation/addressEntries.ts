import { stringifySearchWith } from '@tanstack/react-router'

/**
 * How the router parses and writes the query of an address: each value is a text, and of one that is given twice the
 * first counts.
 */
export const ADDRESS_ENTRIES = {
  // The router's default parser makes numbers of digits, objects of what looks like JSON, and a list of a value that is
  // given twice.
  parseSearch: (search: string): Record<string, string> =>
    Object.fromEntries([...new URLSearchParams(search)].toReversed()),
  stringifySearch: stringifySearchWith(value => String(value)),
}
