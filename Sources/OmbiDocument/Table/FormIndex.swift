/// The fields of form data, found while it arrives: no byte is read again later.
public struct FormIndex: Sendable {
    /// The complete fields.
    private var ended: [FormField] = []
    /// The start of the last field, and its first `=`.
    private var start = 0
    private var sign: Int?
    private var scanned = 0

    /// The maximum number of fields.
    private static let most = 100_000

    public init() {}

    /// Reads what has arrived since the last call.
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

    /// All fields so far, including the one that is still arriving.
    public var fields: [FormField] { scanned > start ? ended + [field(upTo: scanned)] : ended }

    private func field(upTo end: Int) -> FormField {
        let sign = sign ?? end
        return FormField(name: start..<sign, value: min(end, sign + 1)..<end)
    }
}
