"""The nodes that the starters are put together from."""

from __future__ import annotations

from typing import Any

from workflows_app.starters.choices import StarterChoices

Node = dict[str, Any]

_FACT_PROMPT = (
    "You prepare long-term memory. Read the conversation and write down each thing that would still matter in a year: "
    "who people are and how they relate, what was decided or promised, dates, places and amounts, preferences, and "
    "corrections of what was believed before. Leave out greetings and passing remarks.\n\n"
    "Answer with one JSON list and nothing else. Each element is an object with exactly these keys:\n"
    "title: a headline of at most eight words\n"
    "summary: the thing itself in one or two sentences that can be understood alone\n"
    "entities: a list of the names it is about\n"
    "key_phrases: a list of two to five short phrases under which somebody would look for it\n"
    "If nothing is worth keeping, answer with an empty list."
)
_STATE_PROMPT = (
    "You keep a short Markdown document about how things stand now. Work the new facts into it: put each where it "
    "belongs, let it replace what it contradicts, and leave the rest as it is. Give back the whole document alone."
)
_SCENE_PROMPT = (
    "You write one memory of a scene for somebody who continues the story much later. In three to six plain sentences "
    "say who did what to whom, what was said that will matter, what changed between the characters, and where and when "
    "it happened. Do not repeat what the earlier memories tell, and add nothing that did not happen."
)
_SUMMARY_PROMPT = (
    "You keep one running summary of a long conversation. Work the newest memories into it in the order of time. "
    "Names, numbers, promises and open questions stay; how things were said does not. Give back the whole summary."
)


def ask(choices: StarterChoices, title: str, system: str, prompt: str, tokens: int) -> Node:
    """A model call with a prompt of its own."""
    return {
        "title": title,
        "type": "Standard",
        "endpointName": choices.endpoint,
        "preset": choices.preset,
        "maxResponseSizeInTokens": tokens,
        "systemPrompt": system,
        "prompt": prompt,
    }


def answer(choices: StarterChoices, system: str, messages: int) -> Node:
    """The node that answers, with the newest messages of the conversation."""
    return {
        "title": "Answer",
        "type": "Standard",
        "endpointName": choices.endpoint,
        "preset": choices.preset,
        "maxResponseSizeInTokens": 800,
        "systemPrompt": system,
        "lastMessagesToSendInsteadOfPrompt": messages,
        "returnToUser": True,
    }


def search_words(choices: StarterChoices) -> Node:
    """Words to look for in the memories."""
    system = (
        "Which names and words would an older memory about the same matter contain? Answer with at most six of them, "
        "separated by semicolons, and nothing else."
    )
    return ask(choices, "Choose search words", system, "{chat_user_prompt_last_two}", 60)


def search(choices: StarterChoices, words: str) -> Node:
    """Vector memories that fit; by meaning too when there is an embeddings endpoint."""
    node: Node = {
        "title": "Search the memories",
        "type": "VectorMemorySearch",
        "input": words,
        "limit": 8,
        "useRecencyScoring": True,
        "includeDates": True,
    }
    if choices.embedding_endpoint:
        node |= {
            "searchMode": "hybrid",
            "semanticQuery": "{chat_user_prompt_last_two}",
            "embeddingEndpointName": choices.embedding_endpoint,
        }
    return node


def write_facts(choices: StarterChoices) -> list[Node]:
    """Vector memories out of a piece of conversation (its input)."""
    prompt = "<conversation>\n{agent1Input}\n</conversation>"
    return [ask(choices, "Write down what matters", _FACT_PROMPT, prompt, 1200) | {"returnToUser": True}]


def keep_state(choices: StarterChoices) -> list[Node]:
    """The state document with new facts worked in."""
    prompt = "<new_facts>\n{agent1Input}\n</new_facts>\n\n<document>\n{agent2Input}\n</document>"
    return [ask(choices, "Work the facts in", _STATE_PROMPT, prompt, 1500) | {"returnToUser": True}]


def write_scene(choices: StarterChoices) -> list[Node]:
    """One file memory; its inputs are the scene, the newest three memories, all memories and the summary."""
    prompt = (
        "The story so far:\n<story>\n{agent4Input}\n</story>\n\nThe last memories:\n<memories>\n{agent2Input}\n"
        "</memories>\n\nThe scene:\n<scene>\n{agent1Input}\n</scene>"
    )
    return [ask(choices, "Write the memory", _SCENE_PROMPT, prompt, 350) | {"returnToUser": True}]


def summarise(choices: StarterChoices) -> Node:
    """The rolling summary, brought up to the newest memories."""
    prompt = (
        "The summary until now:\n<summary>\n[CHAT_SUMMARY]\n</summary>\n\nWhat has been remembered since:\n<memories>\n"
        "[LATEST_MEMORIES]\n</memories>"
    )
    node = ask(choices, "Keep the summary current", _SUMMARY_PROMPT, prompt, 900)
    return node | {"type": "chatSummarySummarizer", "loopIfMemoriesExceed": 3, "minMemoriesPerSummary": 1}


def plain(title: str, node_type: str, **properties: Any) -> Node:
    """A node that asks no model."""
    return {"title": title, "type": node_type, **properties}
