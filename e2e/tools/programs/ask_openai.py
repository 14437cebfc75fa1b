"""Asks as $QUESTION says, with a picture or a tool where they are wanted, and prints the answer as it grows."""

import base64
import os

TOOL = {"name": "list_files", "description": "Lists the folder.", "parameters": {"type": "object", "properties": {}}}


def ask(client, model):
    content = [{"type": "text", "text": os.environ["QUESTION"]}]
    if os.environ.get("WITH_PICTURE"):
        with open(os.environ["PICTURE"], "rb") as file:
            url = "data:image/png;base64," + base64.b64encode(file.read()).decode()
        content.append({"type": "image_url", "image_url": {"url": url}})
    messages = [{"role": "user", "content": content}]
    tools = {"tools": [{"type": "function", "function": TOOL}]} if os.environ.get("WITH_TOOL") else {}
    while True:
        with client.chat.completions.stream(model=model, messages=messages, **tools) as stream:
            for event in stream:
                if event.type == "content.delta":
                    print(event.delta, end="", flush=True)
            message = stream.get_final_completion().choices[0].message
        if not message.tool_calls:
            return
        messages.append(message)
        for call in message.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": "\n".join(os.listdir("."))})
