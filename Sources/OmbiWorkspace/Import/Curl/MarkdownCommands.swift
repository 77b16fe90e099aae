/// The commands of curl in the fenced blocks of a document in Markdown, such as a runbook.
struct MarkdownCommands {
    private struct Block {
        /// The number of lines in front of it.
        let line: Int
        let text: String
    }

    private let blocks: [Block]

    /// Nil for another file, and for one without such a block.
    init?(_ file: ForeignFile) {
        guard [".md", ".markdown"].contains(where: { file.path.lowercased().hasSuffix($0) }) else { return nil }
        blocks = Self.blocks(of: file.text).filter { block in
            CurlImport.recognizes(block.text) || CurlImport.recognizes(script: block.text, at: "")
        }
        if blocks.isEmpty { return nil }
    }

    /// Returns the requests of all blocks. One that cannot be read is a loss.
    func read() throws(ImportError) -> ImportedRequests {
        var result = ImportedRequests(requests: [])
        var failure: ImportError?
        for block in blocks {
            do throws(ImportError) {
                let read = try CurlImport.read(block.text)
                result.requests += read.requests
                result.variables += read.variables
                result.notes += read.notes.map { note in
                    var note = note
                    note.position.line += block.line
                    return note
                }
            } catch {
                var error = error
                error.position.line += block.line
                failure = failure ?? error
                result.notes.append(
                    ImportNote(
                        position: error.position, kind: .loss, subject: "curl", message: "left out: \(error.message)"))
            }
        }
        if let failure, result.requests.isEmpty { throw failure }
        return result
    }

    private static func blocks(of text: String) -> [Block] {
        var (blocks, lines, fence): ([Block], [Substring], Substring?) = ([], [], nil)
        var (start, indent) = (0, 0)
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in all.enumerated() {
            let content = line.drop { $0 == " " }
            if let open = fence {
                guard content.hasPrefix(open) else {
                    let isIndented = line.prefix(indent).allSatisfy { $0 == " " }
                    lines.append(isIndented ? line.dropFirst(indent) : content)
                    continue
                }
                blocks.append(Block(line: start, text: commands(in: lines).joined(separator: "\n")))
                fence = nil
            } else if content.hasPrefix("```") || content.hasPrefix("~~~") {
                (fence, lines) = (content.prefix(3), [])
                (start, indent) = (number + 1, line.count - content.count)
            }
        }
        return blocks
    }

    /// The lines without those that a terminal printed, where commands have a prompt.
    private static func commands(in lines: [Substring]) -> [Substring] {
        let prompt = "$ "
        guard lines.contains(where: { $0.hasPrefix(prompt) }) else { return lines }
        var goesOn = false
        return lines.map { line in
            let isCommand = line.hasPrefix(prompt) || goesOn
            goesOn = isCommand && line.hasSuffix("\\")
            return isCommand ? line : ""
        }
    }
}
