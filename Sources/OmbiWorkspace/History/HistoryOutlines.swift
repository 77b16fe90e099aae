import OmbiAuthentication

/// The requests that each file had when it was last seen, so that requests renamed while no Ombi runs keep their
/// history.
///
/// URLs are stored as hashes only.
struct HistoryOutlines {
    let database: Database
    let fileSystem: any FileSystem

    static let schema = "CREATE TABLE outline (file TEXT PRIMARY KEY, requests TEXT NOT NULL) WITHOUT ROWID;"

    /// Moves the runs of requests whose path has changed since the file was last seen, and notes the current paths.
    /// - Parameters:
    ///   - recognises: False to note them only.
    ///   - prepare: Called before runs are moved.
    func follow(
        _ file: String, _ outline: CollectionOutline, recognises: Bool, prepare: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let outline = hashed(outline)
        let (new, known) = (Self.text(outline), try requests(of: file))
        guard new != known else { return }
        if recognises {
            try prepare()
            if let known {
                for move in outline.moved(since: Self.outline(known)) {
                    try HistoryMove(database: database).move(
                        ItemPath(file: file, path: move.old), to: ItemPath(file: file, path: move.new))
                }
            } else if let former = try former(file, new) {
                try HistoryMove(database: database).move(ItemPath(file: former), to: ItemPath(file: file))
                try database.run("DELETE FROM outline WHERE file = ?", .text(former))
            }
        }
        try database.run(
            "INSERT INTO outline VALUES (?, ?) ON CONFLICT (file) DO UPDATE SET requests = excluded.requests",
            .text(file), .text(new))
    }

    private func requests(of file: String) throws(DatabaseError) -> String? {
        try database.first("SELECT requests FROM outline WHERE file = ?", .text(file)) { $0.text(0) }
    }

    /// The only removed file that had the same requests; nil if the file has runs already.
    private func former(_ file: String, _ requests: String) throws(DatabaseError) -> String? {
        guard requests != "[]",
            try database.first("SELECT 1 FROM request WHERE file = ?", .text(file), read: { $0.integer(0) }) == nil
        else { return nil }
        let files = try database.rows("SELECT file FROM outline WHERE requests = ?", [.text(requests)]) { $0.text(0) }
        let gone = files.filter { fileSystem.size($0) == 0 }
        return gone.count == 1 ? gone[0] : nil
    }

    private func hashed(_ outline: CollectionOutline) -> CollectionOutline {
        CollectionOutline(
            outline.requests.map { request in
                // By an array: of any other sequence, data asks at run time how it can be read.
                let hash = HashFunction.sha256.hex(Data(Array(request.target.utf8)))
                return .init(names: request.names, target: String(hash.prefix(16)))
            })
    }

    // MARK: As text

    /// A list for each request: a hash of its method and URL, and its names.
    private static func text(_ outline: CollectionOutline) -> String {
        JSONValue.array(
            outline.requests.map { .array(([$0.target] + $0.names).map(JSONValue.string)) }
        ).compact
    }

    private static func outline(_ text: String) -> CollectionOutline {
        guard case .array(let requests)? = try? JSONValue.parse(text) else { return CollectionOutline([]) }
        return CollectionOutline(
            requests.map { request in
                let words = HistoryPath.names(request.compact)
                return .init(names: Array(words.dropFirst()), target: words.first ?? "")
            })
    }
}
