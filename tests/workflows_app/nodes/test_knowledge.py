"""The knowledge nodes against services on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.web_server import FakeWebServer, Page
from tests.workflows_app.builders import USER, write
from tests.workflows_app.nodes.running import output_of
from workflows_app.errors import SwitchedOffError

CAT, DOG = {"title": "Cat", "text": "A cat."}, {"title": "Dog", "text": "A dog."}
PAGES = {
    "/articles": Page(json.dumps([CAT, DOG])),
    "/top_article": Page(json.dumps(DOG)),
    "/top_n_articles": Page(json.dumps([CAT, DOG])),
    "/summaries": Page(json.dumps([CAT])),
}
EMPTY = dict.fromkeys(PAGES, Page("[]"))
FOUND = {
    "FullArticle": "A cat.",
    "BestFullArticle": "A dog.",
    "TopNFullArticles": "Title: Cat\nA cat.\n\n--- END ARTICLE ---\n\nTitle: Dog\nA dog.",
    "PartialArticle": "Title: Cat\nA cat.",
}
NOTHING = {
    "FullArticle": "No article found for 'cats'.",
    "BestFullArticle": "No additional information provided about 'cats'",
    "TopNFullArticles": "No articles found for 'cats' in the offline database.",
    "PartialArticle": "No summary found for 'cats'.",
}


def ask(public: Path, server: FakeWebServer, kind: str, **values: Any) -> Any:
    ports = {"offlineWikiApiPort": server.port, "offlineResearcherApiPort": str(server.port)}
    write(public / "Configs/Users/ann.json", {**USER, "useOfflineWikiApi": 1, "useOfflineResearcherApi": 1, **ports})
    return output_of(public, {"type": kind, "promptToSearch": "cats", **values})


@pytest.mark.parametrize("kind", FOUND)
def test_wiki(public: Path, kind: str) -> None:
    with FakeWebServer(PAGES) as server:
        assert ask(public, server, f"OfflineWikiApi{kind}", percentile="0.4") == FOUND[kind]
        asked = server.seen[0].path
    with FakeWebServer(EMPTY) as server:
        assert ask(public, server, f"OfflineWikiApi{kind}") == NOTHING[kind]
    with FakeWebServer({}) as server:
        assert "The information may not be available" in ask(public, server, f"OfflineWikiApi{kind}")

    assert "prompt=cats&percentile=0.4&num_results=" in asked


@pytest.mark.parametrize("page", [Page("oops", 500), Page("no json"), Page('"text"')])
def test_wiki_error(public: Path, page: Page) -> None:
    with FakeWebServer({"/articles": page}) as server:
        said = ask(public, server, "OfflineWikiApiFullArticle")

    assert said == "I'm sorry, I couldn't find any Wikipedia information about 'cats'."


def test_service_at_another_host_needs_a_setting(public: Path) -> None:
    write(public / "Configs/Users/ann.json", {**USER, "useOfflineWikiApi": True, "offlineWikiApiHost": "10.0.0.5"})

    with pytest.raises(SwitchedOffError, match="WILMER_NODE_WIKI_HOSTS"):
        output_of(public, {"type": "OfflineWikiApiFullArticle", "promptToSearch": "cats"})


def test_researcher(public: Path) -> None:
    answer = {"answer": "Cats purr.", "sources": [{"book": "B", "title": "T"}]}
    with FakeWebServer({"/search": Page(json.dumps(answer))}) as server:
        said = ask(public, server, "OfflineResearcherApiDeepResearch", maxIterations=2, includeSources=True)

    assert said == "Cats purr.\n\nSources:\n- B :: T"
    assert json.loads(server.seen[0].body) == {"query": "cats", "mode": "deep", "max_iterations": 2}


@pytest.mark.parametrize(
    ("page", "reason"),
    [(Page("[]", 503), "http_503"), (Page("no json"), "invalid_json"), (Page('{"error": "busy"}', 500), "busy")],
)
def test_researcher_error(public: Path, page: Page, reason: str) -> None:
    with FakeWebServer({"/search": page}) as server:
        said = ask(public, server, "OfflineResearcherApiQuickSearch")

    assert said == f"I'm sorry, the offline researcher returned an error ({reason}) for 'cats'."


def test_researcher_without_an_answer(public: Path) -> None:
    with FakeWebServer({"/search": Page('{"answer": " "}')}) as server:
        assert ask(public, server, "OfflineResearcherApiQuickSearch") == (
            "No pertinent information was found in the search"
        )
    write(public / "Configs/Users/ann.json", {**USER, "useOfflineResearcherApi": 1, "offlineResearcherApiPort": 1})
    said = output_of(public, {"type": "OfflineResearcherApiQuickSearch", "promptToSearch": "cats"})
    assert "(transport_error)" in said
