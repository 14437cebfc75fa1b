import { stringifySearchWith } from '@tanstack/react-router'

/** How the router reads and writes the entries of an address: each is a text, and of one that is there twice the first counts. */
export const ADDRESS_ENTRIES = {
  // The router's own parser makes numbers of digits, objects of what looks like some, and a list of an entry that is there twice.
  parseSearch: (search: string): Record<string, string> =>
    Object.fromEntries([...new URLSearchParams(search)].toReversed()),
  stringifySearch: stringifySearchWith(value => String(value)),
}
