/** Where there is no room beside a row, as on phones. */
export const NARROW = '(max-width: 47.49em)'
