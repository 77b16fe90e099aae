import OmbiCore

extension HistoryReader {
    /// The numbers of the kept bodies of a selection in which a JSONPath selects something. Each different body is read once.
    func bodies(with path: String, _ filter: HistoryFilter) throws(DatabaseError) -> [Int] {
        let (condition, values) = try condition(filter)
        let all = try database.rows(
            "SELECT DISTINCT body FROM run WHERE \(condition) AND body IS NOT NULL ORDER BY body", values
        ) { $0.integer(0) }
        var found: [Int] = []
        for id in all {
            guard let body = try contents.content(id) else { continue }
            var reader = CaptureReader(TransportResponse(body: body))
            if try reader.recordedValue(at: path) != nil { found.append(id) }
        }
        return found
    }
}

extension CaptureReader {
    /// Returns the value at a JSONPath; nil for none. Throws where it takes too long: it would for the other bodies, too.
    mutating func recordedValue(at path: String) throws(DatabaseError) -> String? {
        let value = try? value(of: .path(path))
        if let interruption = time.interruption {
            throw DatabaseError(.interrupted, "\(path.excerpt(80)): \(interruption.reason)")
        }
        return value
    }
}

extension History {
    /// The same selection, with the path of the file as it is recorded, and with the bodies that its JSONPath finds.
    public func selected(_ filter: HistoryFilter) async throws(HistoryError) -> HistoryFilter {
        var filter = resolved(filter)
        guard let path = filter.bodyPath else { return filter }
        let all = filter
        filter.bodies = try await read { (reader) throws(DatabaseError) in try reader.bodies(with: path, all) } ?? []
        return filter
    }
}
