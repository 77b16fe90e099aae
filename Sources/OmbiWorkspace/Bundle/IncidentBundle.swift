import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Recorded runs and their requests in one file, for somebody who has neither the collection nor the history. Secrets
/// are masked, and what a collection takes of a machine is typed in there.
public struct IncidentBundle: Equatable, Sendable {
    public var collection: Collection
    /// Its runs are those of requests in the collection, by their names.
    public var excerpt: HistoryExcerpt

    /// The facts of the time that the runs are of, for other programs; Ombi counts again.
    public struct Facts: Sendable {
        public var start: Date
        public var end: Date
        /// The number of runs in that time, which may be more than are in the file.
        public var count: Int
        public var statistics: JSONValue

        public init(start: Date, end: Date, count: Int, statistics: JSONValue) {
            (self.start, self.end, self.count, self.statistics) = (start, end, count, statistics)
        }
    }

    // MARK: Writing

    /// Gathers the requests of recorded runs from their files.
    /// - Parameter load: returns the collection in a file; nil for one that is gone.
    public init(
        of excerpt: HistoryExcerpt,
        load: (_ file: String) -> Collection? = { CollectionFile.load($0).readInPlace.specified().collection }
    ) throws(ImportError) {
        let requests = try BundleCollection(of: excerpt, load: load)
        collection = requests.collection
        self.excerpt = requests.following(excerpt)
    }

    /// The text of the file. Throws for one that is larger than any reader takes.
    public func text(_ facts: Facts) throws(ImportError) -> String {
        let range: JSONValue = ["start": .number(facts.start.microseconds), "end": .number(facts.end.microseconds)]
        var text = "{\n\"ombi\": \"\(BundleFormat.marker)\",\n\"format\": \(BundleFormat.version),\n"
        text += "\"range\": \(range.compact),\n\"runCount\": \(facts.count),\n"
        text += "\"statistics\": \(facts.statistics.compact),\n"
        text += "\"collection\": \(collection.json.compact),\n"
        text += Self.list("marks", excerpt.markLines) + ",\n"
        text += Self.list("contents", excerpt.contentLines) + ",\n"
        text += Self.list("runs", excerpt.runLines) + "\n}\n"
        guard text.utf8.count <= BundleFormat.maximumSize else {
            throw ImportLog([]).error(0, "the bundle would be larger than 64 MiB; name a shorter time, or one request")
        }
        return text
    }

    private static func list(_ key: String, _ lines: [String]) -> String {
        lines.isEmpty ? "\"\(key)\": []" : "\"\(key)\": [\n" + lines.joined(separator: ",\n") + "\n]"
    }

    // MARK: Reading

    /// Reads a file that anybody may have written. Nothing but its bytes is looked at.
    /// - Parameter path: the name for messages.
    public init(reading content: [UInt8], path: String) throws(ImportError) {
        let file = try ForeignFile(content, path: path)
        let log = ImportLog(file.bytes)
        if let problem = file.syntaxProblem { throw log.error(problem.offset, problem.reason) }
        guard let root = file.root, BundleImport.recognizes(file) else {
            throw log.error(0, "this is no incident bundle; ombi incident --bundle FILE writes one")
        }
        collection = try BundleImport.read(file).collection
        var reader = BundleRunReader(log: log)
        excerpt = try reader.read(root)
    }
}
