"""Prints as JSON what a reader of other makers finds in a report or an export.

Usage: report_reader.py junit|tap|har|markdown FILE
"""

import json
import sys


def junit(path):
    from junitparser import JUnitXml, xunit2

    suites = list(JUnitXml.fromfile(path))
    # The classes of this flavour know the elements of Surefire.
    cases = [xunit2.TestCase.fromelem(case) for suite in suites for case in suite]
    return {
        "tests": sum(suite.tests for suite in suites),
        "failures": sum(suite.failures for suite in suites),
        "errors": sum(suite.errors for suite in suites),
        "skipped": sum(suite.skipped for suite in suites),
        "cases": [
            {
                "name": case.name,
                "className": case.classname,
                "results": [[type(result).__name__, result.message] for result in case.result],
                "flaky": [failure.message for failure in case.flaky_failures()],
            }
            for case in cases
        ],
    }


def tap(path):
    from tap.parser import Parser

    with open(path, encoding="utf-8", newline="\n") as file:
        texts = file.read().split("\n")
    # Blocks of diagnostics are indented: readers of the first version pass over them.
    texts = [text for text in texts if text and not text.startswith("  ")]
    lines = [Parser().parse_line(text) for text in texts]
    return {
        "plan": [line.expected_tests for line in lines if line.category == "plan"],
        "unknown": [text for text, line in zip(texts, lines) if line.category == "unknown"],
        "points": [
            {
                "number": line.number,
                "ok": line.ok,
                "description": line.description,
                "isSkipped": bool(line.skip),
                "isToDo": bool(line.todo),
            }
            for line in lines
            if line.category == "test"
        ],
    }


def har(path):
    from haralyzer import HarEntry, HarParser

    with open(path, encoding="utf-8") as file:
        parser = HarParser(json.load(file))
    entries = [HarEntry(entry) for entry in parser.har_data["entries"]]
    return {
        "version": parser.version,
        "creator": parser.creator["name"],
        "entries": [
            {
                "method": entry.request.method,
                "url": entry.request.url,
                "status": entry.response.status,
                "headers": [[header["name"], header["value"]] for header in entry.request.headers],
                "query": [[item["name"], item["value"]] for item in entry.request.queryString],
                "year": entry.startTime.year,
                "time": entry.time,
                "type": entry.response.mimeType,
                "size": entry.response.contentSize,
            }
            for entry in entries
        ],
    }


def markdown(path):
    from markdown_it import MarkdownIt

    with open(path, encoding="utf-8", newline="") as file:
        tokens = MarkdownIt().enable(["table", "strikethrough"]).parse(file.read())
    following = zip(tokens, tokens[1:] + tokens[:1])
    return {
        "headings": [
            {"level": int(token.tag[1]), "text": _plain(inline)}
            for token, inline in following
            if token.type == "heading_open"
        ],
        "blocks": [
            {"language": token.info, "text": token.content}
            for token in tokens
            if token.type in ("fence", "code_block")
        ],
        "markup": [part.content for part in _parts(tokens) if part.type in ("html_block", "html_inline")],
        "texts": [_plain(token) for token in tokens if token.type == "inline"],
    }


def _parts(tokens):
    return [part for token in tokens for part in [token, *(token.children or [])]]


def _plain(token):
    return "".join(child.content for child in token.children or [])


readers = {"junit": junit, "tap": tap, "har": har, "markdown": markdown}
print(json.dumps(readers[sys.argv[1]](sys.argv[2])))
