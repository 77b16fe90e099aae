import Foundation

/// A piece of Swift that stands in a document and, between `// sample: Document/name` and `// end`, in a file that is
/// compiled.
struct Sample: Equatable, CustomStringConvertible {
    /// The document, without folder and ending.
    let document: String
    let place: String
    /// Without indentation, empty lines and the import that the file has at its top.
    let lines: [String]

    var description: String { "\(place):\n\(lines.joined(separator: "\n"))" }

    static func == (left: Sample, right: Sample) -> Bool {
        left.document == right.document && left.lines == right.lines
    }

    private init(document: String, place: String, lines: [String]) {
        self.document = document
        self.place = place
        self.lines = lines.map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import Ombi") }
    }

    /// The blocks of a document that say to be Swift.
    static func blocks(in file: Repository.File) -> [Sample] {
        var found: [Sample] = []
        var open: (line: Int, lines: [String])?
        for (index, line) in file.lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if let (start, lines) = open {
                if text == "```" {
                    found.append(Sample(document: file.name, place: "\(file.path):\(start)", lines: lines))
                    open = nil
                } else {
                    open = (start, lines + [line])
                }
            } else if text == "```swift" {
                open = (index + 1, [])
            }
        }
        return found
    }

    /// The regions of a source file.
    static func regions(in file: Repository.File) -> [Sample] {
        var found: [Sample] = []
        var open: (name: String, line: Int, lines: [String])?
        for (index, line) in file.lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("// sample: ") {
                open = (String(text.dropFirst("// sample: ".count)), index + 1, [])
            } else if text == "// end", let (name, start, lines) = open {
                let document = String(name.prefix { $0 != "/" })
                found.append(Sample(document: document, place: "\(file.path):\(start) (\(name))", lines: lines))
                open = nil
            } else {
                open?.lines.append(line)
            }
        }
        return found
    }
}
