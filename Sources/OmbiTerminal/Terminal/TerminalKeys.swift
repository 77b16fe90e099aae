import CNcurses

/// The keys in the terminal's own description, for terminals that differ from the common sequences.
package enum TerminalKeys {
    private static let names: [(capability: String, key: Key)] = [
        ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)),
        ("khome", Key(.home)), ("kend", Key(.end)), ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)),
        ("kich1", Key(.insert)), ("kdch1", Key(.delete)), ("kcbt", Key(.tab, .shift)), ("kent", Key(.enter)),
        ("kLFT", Key(.left, .shift)), ("kRIT", Key(.right, .shift)), ("kri", Key(.up, .shift)),
        ("kind", Key(.down, .shift)), ("kHOM", Key(.home, .shift)), ("kEND", Key(.end, .shift)),
        ("kDC", Key(.delete, .shift)), ("kPRV", Key(.pageUp, .shift)), ("kNXT", Key(.pageDown, .shift)),
    ]

    /// Reads the keys that send two bytes or more. Call it when a `Screen` is open; before, there is nothing to read.
    @MainActor
    package static func read() -> [KeySequence] {
        var keys: [KeySequence] = []
        let functions = (1...12).map { (capability: "kf\($0)", key: Key(.function($0))) }
        for (capability, key) in names + functions {
            guard let value = ombi_capability(capability) else { continue }
            let bytes = Array(String(cString: value).utf8)
            if bytes.count >= 2, bytes[0] == 0x1B { keys.append(KeySequence(bytes, key)) }
        }
        return keys
    }
}
