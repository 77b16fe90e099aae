/// Bodies of any size, the same each time, generated while they are sent.
let sizeRoutes: [Route] = [
    Route("GET", "/bytes/json", "an array of records; mb, in millions of bytes, 1 to 100") { request in
        let records = RecordArray(byteCount: try request.integer("mb", default: 1, in: 1...100) * 1_000_000)
        return .stream(
            ByteStream { records.piece($0) }, length: records.byteCount, type: "application/json")
    },
    Route("GET", "/binary", "bytes that are no text; bytes, up to 100000000") { request in
        let count = try request.integer("bytes", default: 4_096, in: 0...100_000_000)
        let size = 65_536
        let stream = ByteStream { number in
            let begin = number * size
            guard begin < count else { return nil }
            return (begin..<min(begin + size, count)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        }
        return .stream(stream, length: count, type: "application/octet-stream")
    },
]
