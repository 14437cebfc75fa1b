// The baseline: the smallest React page that shows a conversation as plain text, scrolled to its end.
import { useEffect, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

type Words = { id: string; text: string }

function Conversation({ url }: { url: string }) {
  const [messages, setMessages] = useState<Words[]>([])
  useEffect(() => {
    void fetch(url)
      .then(response => response.json())
      .then(setMessages)
  }, [url])
  useLayoutEffect(() => {
    scrollTo(0, document.body.scrollHeight)
  }, [messages])
  return (
    <div style={{ maxWidth: 720, margin: 'auto', whiteSpace: 'pre-wrap', font: '16px/1.75 system-ui' }}>
      {messages.map(({ id, text }) => (
        <p key={id} data-message-id={id}>
          {text}
        </p>
      ))}
    </div>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Conversation url={`/messages-${location.hash.slice(1)}.json`} />)
