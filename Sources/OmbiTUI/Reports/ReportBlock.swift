/// A part of a report, whatever it is written in.
enum ReportBlock: Equatable {
    /// - level: from 1.
    case heading(Int, String)
    case text(String)
    case table([String], rows: [[String]])
    /// Lines as they are, such as a command.
    case code(String)
}

/// A report in Markdown (CommonMark with tables). Nothing in it is taken for markup that was not written here.
enum MarkdownReport {
    static func text(_ blocks: [ReportBlock]) -> String {
        blocks.map(text).joined(separator: "\n\n") + "\n"
    }

    private static func text(_ block: ReportBlock) -> String {
        switch block {
        case .heading(let level, let text): String(repeating: "#", count: level) + " " + escaped(text)
        case .text(let text): escaped(text)
        case .table(let header, let rows):
            ([header, header.map { _ in "---" }] + rows).enumerated().map { index, cells in
                "| " + cells.map { index == 1 ? $0 : escaped($0) }.joined(separator: " | ") + " |"
            }.joined(separator: "\n")
        case .code(let text): code(SafeText.lines(text))
        }
    }

    /// A fence that is longer than any in the text.
    private static func code(_ text: String) -> String {
        var (longest, run) = (2, 0)
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return fence + "\n" + text + "\n" + fence
    }

    /// One line without markup.
    static func escaped(_ text: String) -> String {
        // A mark behind a sign makes one character with it, and the sign stays markup.
        SafeText.line(text).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "$": result += "\\" + String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A report as one file of HTML that needs no other, and may load none.
enum HTMLReport {
    static func text(_ blocks: [ReportBlock], title: String) -> String {
        page(title: title, content: blocks.map(text).joined(separator: "\n"))
    }

    /// - Parameters:
    ///   - style: rules that only this page needs.
    ///   - content: markup.
    static func page(title: String, style: String = "", content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escaped(title))</title>
        <style>
        :root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --shade: #f3f5f7; --line: #d0d7de; }
        @media screen and (prefers-color-scheme: dark) {
        :root { --ink: #e6edf3; --paper: #0d1117; --shade: #1b222b; --line: #3d444d; }
        }
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
        body { color: var(--ink); background: var(--paper); }
        table { border-collapse: collapse; margin: 1em 0; }
        th, td { border: 1px solid var(--line); padding: 3px 9px; text-align: left; vertical-align: top; }
        th, pre { background: var(--shade); }
        pre { padding: 9px; overflow-x: auto; }
        @media print { body { margin: 0; max-width: none; } pre { white-space: pre-wrap; } }
        \(style)</style>
        </head>
        <body>
        \(content)
        </body>
        </html>

        """
    }

    static func text(_ block: ReportBlock) -> String {
        switch block {
        case .heading(let level, let text): "<h\(level)>\(escaped(text))</h\(level)>"
        case .text(let text): "<p>\(escaped(text))</p>"
        case .code(let text): "<pre>\(escapedLines(text))</pre>"
        case .table(let header, let rows):
            "<table>\n<tr>" + header.map { "<th>\(escaped($0))</th>" }.joined() + "</tr>\n"
                + rows.map { "<tr>" + $0.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>\n" }.joined() + "</table>"
        }
    }

    private static func escapedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(
            separator: "\n")
    }

    /// One line without markup, for content and attributes.
    static func escaped(_ text: String) -> String {
        SafeText.line(text).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
