"""Reads a file of Hurl by the grammar of its documents, as far as requests have it, and prints each request as JSON.

A line with an array of method, URL, headers, sections and body; values stand as {{name}}. Ends with 1 at what Hurl
would refuse.
"""

import json
import re
import sys

OPTIONS = {
    "location": r"true|false",
    "skip": r"true|false",
    "insecure": r"true|false",
    "max-redirs": r"-1|[0-9]+",
    "max-time": r"[0-9]+(ms|s|m)?",
    "proxy": r".+",
}
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
URL = re.compile(r"[\w:/.\-?=&%*,@~+!$'();\[\]]")
KEY = re.compile(r"[^\W]|[-.\[\]@$]")


class Refused(Exception):
    pass


class Reader:
    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self, count=1):
        return self.text[self.at : self.at + count]

    def match(self, pattern):
        found = re.compile(pattern).match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def expect(self, pattern, what):
        return self.match(pattern) or self.refuse("no " + what)

    def refuse(self, reason):
        line = self.text.count("\n", 0, self.at) + 1
        raise Refused("line %d: %s: %r" % (line, reason, self.peek(40)))

    def line_end(self):
        self.expect(r"[ \t]*(#[^\n]*)?(\n|\Z)", "end of the line")

    def blank_lines(self):
        while self.at < len(self.text) and self.match(r"[ \t]*(#[^\n]*)?\n|[ \t]*#[^\n]*\Z"):
            pass

    def template(self, is_plain, escapes, end=""):
        """Reads characters, escapes and values in braces up to anything else."""
        result = ""
        while self.at < len(self.text):
            if self.peek(2) == "{{":
                result += self.expect(r"\{\{[ \t]*[A-Za-z0-9_-]+[ \t]*\}\}", "value").group()
            elif self.peek() == "\\":
                result += self.escape(escapes)
            elif self.peek() not in end and is_plain(self.peek()):
                result += self.peek()
                self.at += 1
            else:
                break
        return result

    def escape(self, escapes):
        code = self.match(r"\\u\{([0-9A-Fa-f]+)\}")
        if code:
            number = int(code.group(1), 16)
            if number > 0x10FFFF or 0xD800 <= number < 0xE000:
                self.refuse("no character")
            return chr(number)
        found = self.expect(r"\\(.)", "escape").group(1)
        if found not in escapes + "\\bfnrt":
            self.refuse("escape of " + found)
        return ESCAPES.get(found, found)

    def key(self):
        if self.peek() == "[":
            self.refuse("a key begins like a section")
        key = self.template(KEY.match, "#:/")
        if not key:
            self.refuse("no key")
        self.expect(r"[ \t]*:[ \t]*", "colon")
        return key

    def value(self):
        start = self.at
        text = self.template(lambda one: one not in "#\n\\\b\f\r\t", "#\"`/")
        # Spaces in front of the end of the line are not of the value.
        source = self.text[start : self.at]
        spaces = len(source) - len(source.rstrip(" "))
        self.line_end()
        return text[: len(text) - spaces] if spaces else text

    def file(self):
        name = self.template(lambda one: one not in "#;{} \n\\", "#;{} ")
        if not name:
            self.refuse("no name of a file")
        self.expect(r"[ \t]*;", "semicolon")
        return name

    def sections(self):
        found = {}
        while True:
            start = self.at
            self.blank_lines()
            name = self.match(r"\[(\w+)\]")
            if not name:
                self.at = start
                return found
            if name.group(1) in found:
                self.refuse("section " + name.group() + " is there twice")
            self.line_end()
            found[name.group(1)] = self.rows(name.group(1))

    def rows(self, section):
        rows = []
        while True:
            start = self.at
            self.blank_lines()
            if self.at == len(self.text) or re.match(r"\[|`|file,|HTTP[ /]|[A-Z]+ (https?:|\{\{)", self.text[self.at :]):
                self.at = start
                return rows
            key = self.key()
            if section == "MultipartFormData" and self.match("file,"):
                name = self.file()
                kind = self.expect(r"[ \t]*([\w/;=-]+( +[\w/;=-]+)*)?", "type").group(1)
                rows.append([key, name, kind])
                self.line_end()
            else:
                rows.append([key, self.value()])
                if section == "Options" and not re.fullmatch(OPTIONS.get(key, r"(?!)"), rows[-1][1], re.S):
                    self.refuse("option %s: %s" % tuple(rows[-1]))

    def body(self):
        start = self.at
        self.blank_lines()
        if self.match("`"):
            text = self.template(lambda one: one not in "`\n\\\b\f\r\t", "#\"`/")
            self.expect("`", "end of the text")
        elif self.match("file,"):
            text = "file," + self.file()
        else:
            self.at = start
            return None
        self.line_end()
        return text

    def request(self):
        method = self.expect(r"[A-Z]+", "method").group()
        self.expect(r"[ \t]+", "space")
        if not re.match(r"https?://|\{\{", self.text[self.at :]):
            self.refuse("no URL")
        url = self.template(URL.match, "")
        self.line_end()
        headers = self.rows("")
        sections = self.sections()
        if not set(sections) <= {"Options", "BasicAuth", "FormParams", "MultipartFormData"}:
            self.refuse("sections " + ", ".join(sections))
        if len(sections.get("BasicAuth", [[]])) != 1:
            self.refuse("one user is wanted")
        body = self.body()
        self.blank_lines()
        self.expect(r"HTTP[ \t]+(\*|[0-9]+)", "response")
        self.line_end()
        return [method, url, headers, sections, body]


def main():
    # Not with newlines of any kind made \n.
    reader = Reader(sys.stdin.buffer.read().decode())
    try:
        reader.blank_lines()
        while reader.at < len(reader.text):
            print(json.dumps(reader.request()))
            reader.blank_lines()
    except Refused as refused:
        sys.exit(str(refused))


main()
