#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The stream for progress and mistakes.
enum StandardError {
    static func print(_ text: String) { Output.write(text + "\n", to: 2) }

    static var isTerminal: Bool { isatty(2) == 1 }
}

/// The stream for results.
enum StandardOutput {
    static func print(_ text: String) { Output.write(text + "\n", to: 1) }

    static func write(_ bytes: [UInt8]) { Output.write(bytes[...], to: 1) }

    static var isTerminal: Bool { isatty(1) == 1 }
}

/// The stream for input.
enum StandardInput {
    static var isTerminal: Bool { isatty(0) == 1 }
}

private enum Output {
    static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8)[...], to: descriptor) }

    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    #if canImport(Glibc)
    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Glibc.write(descriptor, bytes, count)
    }
    #else
    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Darwin.write(descriptor, bytes, count)
    }
    #endif
}
