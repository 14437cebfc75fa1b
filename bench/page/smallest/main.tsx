// The baseline: the smallest React page with a field in which one can type a question.
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

function Page() {
  const [text, setText] = useState('')
  return (
    <main>
      <h1>Ask something</h1>
      <p>{text === '' ? 'Nothing typed yet.' : `${text.length} characters`}</p>
      <textarea data-testid="composer" value={text} onChange={event => setText(event.target.value)} />
    </main>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Page />)
