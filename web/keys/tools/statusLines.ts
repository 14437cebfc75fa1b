import type { SnippetValues } from './tool.ts'

type StatusLine = { id: 'claude' | 'prompt'; snippet(values: Omit<SnippetValues, 'model'>): string }

/** Asks at most once a minute, and prints what was answered last. Claude Code sends a status that is not needed. */
const claudeCodeLine: StatusLine = {
  id: 'claude',
  snippet: ({ address, key }) => `mkdir -p ~/.claude && umask 077 && cat > ~/.claude/commons-left.sh <<'END'
#!/bin/sh
cat > /dev/null
left="$HOME/.claude/commons-left"
if [ -z "$(find "$left" -mmin -1 2> /dev/null)" ]; then
  curl -sf -m 3 -H "Authorization: Bearer ${key}" -H "Accept: text/plain" \\
    "${address}/v1/usage" > "$left.$$" && mv "$left.$$" "$left" || rm -f "$left.$$"
fi
cat "$left" 2> /dev/null
END
chmod 700 ~/.claude/commons-left.sh
# In ~/.claude/settings.json:
# "statusLine": { "type": "command", "command": "~/.claude/commons-left.sh" }`,
}

/** Prints what is known, and asks in the background: a prompt waits for nobody. */
const promptLine: StatusLine = {
  id: 'prompt',
  snippet: ({ address, key }) => `commons_left() {
  local left="$HOME/.commons-left"
  if [ -z "$(find "$left" -mmin -1 2> /dev/null)" ]; then
    touch "$left"
    (umask 077 && curl -sf -m 3 -H "Authorization: Bearer ${key}" -H "Accept: text/plain" \\
      "${address}/v1/usage" > "$left.new" && mv "$left.new" "$left" &) > /dev/null 2>&1
  fi
  cat "$left"
}
[ -n "$ZSH_VERSION" ] && setopt PROMPT_SUBST
PS1='[$(commons_left)] '"$PS1"`,
}

export const STATUS_LINES: readonly [StatusLine, StatusLine] = [claudeCodeLine, promptLine]
