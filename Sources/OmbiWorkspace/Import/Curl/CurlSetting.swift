/// Options of curl that other tools have as settings of a request.
extension ImportLog {
    /// Returns a request that options such as `--max-time 10` have their effect on; nil for those that need others or a
    /// body.
    /// - Parameter subject: the setting, for notes; nil for the name of the option.
    mutating func request(withOptions words: [String], _ subject: String? = nil, at offset: Int) -> SavedRequest? {
        guard let read = try? CurlImport.read(words: ["curl"] + words + ["http://localhost"]),
            read.requests.count == 1, let found = read.requests.first, found.method == .get, found.body == nil,
            found.headers.isEmpty, found.query.isEmpty
        else { return nil }
        for note in read.notes where !note.subject.hasPrefix("{{") {
            let name = subject ?? String(note.subject.drop { $0 == "-" })
            if note.kind == .loss { loss(offset, name, note.message) } else { remark(offset, name, note.message) }
        }
        return found
    }
}
