/// The lines of a collection file on which its requests and their expectations begin, for reports from which editors
/// and CI jump there.
package struct RequestLines: Sendable {
    private var starts: [ItemID: Int] = [:]
    /// The lines of the members of `expect` by their keys, of the rows of its body by their paths, and of all of it.
    private var expectations: [ItemID: [String: Int]] = [:]

    /// Reads them for a collection that was read from the file; none of a file that cannot be read any more.
    package init(_ path: String, of collection: Collection, fileSystem: some FileSystem = PosixFileSystem()) {
        guard let content = try? fileSystem.content(path), let document = try? JSONDocument(checking: content)
        else { return }
        // Asked for places in their order, the locator counts each line once.
        var locator = TextLocator(document.bytes)
        for (id, value) in LoadedCollection.requests(of: collection, in: document, file: path) {
            starts[id] = locator.position(of: value.offset).line
            guard let expect = ObjectReader(value)?.value("expect") else { continue }
            expectations[id] = Self.lines(of: expect, &locator)
        }
    }

    /// The line on which a request begins; nil for one that is not in the file.
    package subscript(_ id: ItemID) -> Int? { starts[id] }

    /// The line of what a request expected, as near as the file has it; nil for a request without expectations there.
    package func line(of result: ExpectationResult, in id: ItemID) -> Int? {
        let lines = expectations[id]
        return (result.keys + [Self.all]).lazy.compactMap { lines?[$0] }.first
    }

    private static let all = "expect"

    private static func lines(of expect: FileValue, _ locator: inout TextLocator) -> [String: Int] {
        var lines = [all: locator.position(of: expect.offset).line]
        for (key, value) in ObjectReader(expect)?.entries ?? [] {
            lines[key] = locator.position(of: value.offset).line
            guard key == "body" else { continue }
            for row in value.elements {
                guard let path = ObjectReader(row)?.value("path")?.string else { continue }
                let line = locator.position(of: row.offset).line
                // The first of two rows with one path counts.
                if lines[path] == nil { lines[path] = line }
            }
        }
        return lines
    }
}

extension ExpectationResult {
    /// The keys under which a file has the expectation, the nearest first.
    fileprivate var keys: [String] {
        switch place {
        case .status: ["status"]
        case .time: [subject == "time" ? "within" : "firstAttemptWithin"]
        case .size: ["size"]
        case .certificate: ["certificateDays"]
        case .header: ["headers"]
        case .body: [subject, "body", "schema"]
        }
    }
}
