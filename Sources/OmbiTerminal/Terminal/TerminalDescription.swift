import CNcurses

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The entry of a terminal in the terminfo database.
package struct TerminalDescription: Equatable, Sendable {
    /// 0 for none.
    package var colors: Int
    /// False for a terminal that no screen can be drawn on.
    package var movesCursor: Bool

    /// Nil for a name that is not in the database. Not beside an open screen: ncurses has one current terminal.
    package init?(name: String) {
        guard !name.isEmpty, ombi_use_terminal(name) else { return nil }
        colors = Int(ombi_number("colors"))
        movesCursor = ombi_capability("cup") != nil
    }
}

/// The terminal descriptions to use for a `TERM`.
enum TerminalName {
    /// Newer terminals whose own descriptions are often missing on a remote machine; they all understand xterm's.
    private static let likeXterm = ["kitty", "foot", "ghostty", "alacritty", "wezterm"]

    /// The names to try, best first.
    static func candidates(for name: String) -> [String] {
        // `xterm-kitty`, `foot-extra`: a part of the name. Parts are compared rather than searched for, which would load the
        // search of strings before the first frame.
        let parts = name.lowercased().split { !$0.isLetter }
        return parts.contains { likeXterm.contains(String($0)) } ? [name, "xterm-256color"] : [name]
    }
}

/// The capabilities of the current terminal: its entry in the terminfo database.
@MainActor
enum Capability {
    /// The bytes of a string, without the padding notes of old terminals (`$<5>`); empty when there is none.
    static func bytes(_ name: String) -> [UInt8] {
        guard let value = ombi_capability(name) else { return [] }
        var bytes: [UInt8] = []
        var rest = UnsafeRawBufferPointer(start: value, count: strlen(value))[...]
        while let byte = rest.first {
            if byte == 0x24, rest.dropFirst().first == 0x3C, let end = rest.firstIndex(of: 0x3E) {
                rest = rest[(end + 1)...]
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }

    /// True for a string that the terminal has in exactly that form.
    static func `is`(_ name: String, _ value: String) -> Bool {
        ombi_capability(name).map { strcmp($0, value) == 0 } ?? false
    }

    static func exists(_ name: String) -> Bool { ombi_capability(name) != nil }

    /// A flag of the terminal.
    static func isSet(_ name: String) -> Bool { ombi_flag(name) }

    /// A number of the terminal; 0 when there is none.
    static func number(_ name: String) -> Int { Int(ombi_number(name)) }
}

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
