/// The fields of form data, found while it arrives: each byte is looked at once.
public struct FormIndex: Sendable {
    /// Fields that have ended.
    private var ended: [FormField] = []
    /// Where the last field begins, and its first `=`.
    private var start = 0
    private var sign: Int?
    private var scanned = 0

    /// More fields are not taken.
    private static let most = 100_000

    public init() {}

    /// Looks through what has arrived since the last time.
    public mutating func extend(over bytes: Bytes) {
        while scanned < bytes.count, ended.count < Self.most {
            let end = ByteScan.first(UInt8(ascii: "&"), in: bytes, scanned..<bytes.count)
            let stop = end ?? bytes.count
            if sign == nil { sign = ByteScan.first(UInt8(ascii: "="), in: bytes, scanned..<stop) }
            scanned = stop
            guard end != nil else { return }
            if stop > start { ended.append(field(upTo: stop)) }
            (start, sign, scanned) = (stop + 1, nil, stop + 1)
        }
    }

    /// All fields so far, the one that is still arriving included.
    public var fields: [FormField] { scanned > start ? ended + [field(upTo: scanned)] : ended }

    private func field(upTo end: Int) -> FormField {
        let sign = sign ?? end
        return FormField(name: start..<sign, value: min(end, sign + 1)..<end)
    }
}
