import styles from './ReadingTable.module.css'

const SHADE = 'M50 44c4-28 28-42 70-42s66 14 70 42c0 2-1 3-3 3H53c-2 0-3-1-3-3z'
const LAMPS = [
  { x: 40, lit: false },
  { x: 320, lit: true },
  { x: 600, lit: false },
  { x: 880, lit: true },
  { x: 1160, lit: false },
]

/** The long table along the bottom edge; decoration. */
export function ReadingTable() {
  return (
    <svg className={styles.table} viewBox="0 0 1440 250" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <defs>
        <linearGradient id="glow" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={styles.glow} stopOpacity=".6" />
          <stop offset="1" className={styles.glow} stopOpacity=".04" />
        </linearGradient>
      </defs>
      {LAMPS.map(lamp => (
        <TableLamp key={lamp.x} {...lamp} />
      ))}
      <rect className={styles.newBook} x="520" y="166" width="62" height="11" rx="2" />
      <rect className={styles.book} x="526" y="154" width="52" height="11" rx="2" />
      <path className={styles.book} d="M830 177l4-6c14-5 26-4 36 3c10-7 22-8 36-3l4 6z" />
      <rect className={styles.book} x="284" y="166" width="58" height="11" rx="2" />
      <rect className={styles.edge} x="-200" y="178" width="1840" height="10" />
      <rect className={styles.book} x="-200" y="188" width="1840" height="2" />
      <path className={styles.line} d="M150 190l-10 60M460 190v60M980 190v60M1290 190l10 60" opacity=".6" />
    </svg>
  )
}

function TableLamp({ x, lit }: { x: number; lit: boolean }) {
  return (
    <g transform={`translate(${x} 36)`}>
      {lit && <path fill="url(#glow)" d="M66 46h108l44 96H22z" />}
      <path className={styles.line} d="M120 47v91M152 47v16M96 141h48" />
      <path className={lit ? styles.shade : styles.line} d={SHADE} />
    </g>
  )
}
