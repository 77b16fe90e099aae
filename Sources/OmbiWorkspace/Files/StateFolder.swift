#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The folder in which Ombi keeps what outlives it: `$XDG_STATE_HOME/ombi`, or `~/.local/state/ombi`.
enum StateFolder {
    /// Nil without a home folder.
    static var path: String? {
        func folder(_ variable: String) -> String? {
            getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let state = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
        return state.map { $0 + "/ombi" }
    }
}

/// FNV-1a, 64 bits.
enum ContentHash {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
