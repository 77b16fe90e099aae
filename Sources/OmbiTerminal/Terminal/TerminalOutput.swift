#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The terminal as a descriptor.
package enum TerminalOutput {
    /// Writes all bytes. Returns false when the terminal is gone, which the end of the input will report.
    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: Int32 = 1) -> Bool {
        bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor) } == nil
    }

    /// The size that the terminal reports, or else 80×24.
    package static func size(of descriptor: Int32 = 1) -> Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: min(Int(window.ws_col), 4096), rows: min(Int(window.ws_row), 4096))
    }
}
