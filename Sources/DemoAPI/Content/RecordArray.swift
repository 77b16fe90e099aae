/// A JSON array of records of an exact length, generated in independent pieces. Every record takes 200 bytes with the
/// comma and the line break (the first one two less, for the bracket): its last field is cut to fit.
struct RecordArray: Sendable {
    static let recordSize = 200
    private static let recordsPerPiece = 500
    private static let cities = ["Berlin", "Lisbon", "Oslo", "Zurich", "Krakow", "Izmir", "Accra"]
    private static let filler = Array(
        "The quick brown fox jumps over the lazy dog and then sits down to read the documentation of this API. "
            .utf8)

    /// A multiple of the size of a record.
    let byteCount: Int

    private var recordCount: Int { byteCount / Self.recordSize }

    func piece(_ number: Int) -> [UInt8]? {
        let begin = number * Self.recordsPerPiece
        guard begin < recordCount else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.recordsPerPiece * Self.recordSize)
        for index in begin..<min(begin + Self.recordsPerPiece, recordCount) { append(index, to: &bytes) }
        return bytes
    }

    private func append(_ index: Int, to bytes: inout [UInt8]) {
        let end = bytes.count + Self.recordSize
        if index == 0 { bytes.append(contentsOf: "[\n".utf8) }
        let city = Self.cities[index % Self.cities.count]
        let head =
            #"{"id":\#(index + 1),"name":"record \#(index + 1)","city":"\#(city)","score":\#(index % 1000).25,"#
            + #""active":\#(index % 3 == 0),"tags":["t\#(index % 17)","t\#(index % 23)"],"note":""#
        bytes.append(contentsOf: head.utf8)
        for offset in 0..<max(0, end - 4 - bytes.count) { bytes.append(Self.filler[offset % Self.filler.count]) }
        bytes.append(contentsOf: index == recordCount - 1 ? "\"}\n]".utf8 : "\"},\n".utf8)
    }
}
