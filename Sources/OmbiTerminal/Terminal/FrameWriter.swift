import CNcurses

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes the way from what a terminal shows to a surface.
@MainActor
protocol FrameWriter {
    var depth: ColorDepth { get }
    /// True while the colours depend on the background that the terminal reports.
    var adapts: Bool { get }

    /// Chooses colours for that background; nil for a terminal that does not report it. Returns true when something looks
    /// different.
    mutating func adapt(to background: Background?) -> Bool
    /// Chooses the colours of another theme.
    mutating func use(_ theme: ThemeChoice)
    /// The next frame replaces all that a terminal of that size shows.
    mutating func begin(_ size: Size)
    /// The bytes that make the terminal show the surface, and the cursor at that position; none when it does already.
    mutating func frame(_ surface: Surface, cursor: Point?) -> [UInt8]
    /// The bytes that restore the terminal for another program.
    mutating func end() -> [UInt8]
    func close()

    /// True where frames scroll parts of the screen.
    var scrolls: Bool { get }
    /// From now on frames may set margins at the left and the right for that.
    mutating func useMargins()
}

extension FrameWriter {
    var scrolls: Bool { false }
    mutating func useMargins() {}
    mutating func use(_ theme: ThemeChoice) {}
}

/// The nameless file that ncurses writes into. The output of a refresh is taken out as one piece, so that a frame is
/// one `write` to the terminal, and its bytes can be counted.
struct FrameFile {
    let descriptor: Int32

    init?() {
        descriptor = ombi_nameless_file()
        if descriptor < 0 { return nil }
    }

    /// Returns the bytes written since the last call.
    func take() -> [UInt8] {
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard end > 0 else { return [] }
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(end)) { buffer, count in
            while filled < Int(end) {
                let got = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), Int(end) - filled, off_t(filled))
                if got <= 0 { break }
                filled += got
            }
            count = filled
        }
        // The next frame overwrites this one; truncating the file would free its page for each.
        lseek(descriptor, 0, SEEK_SET)
        return bytes
    }

    func close() {
        #if canImport(Glibc)
        _ = Glibc.close(descriptor)
        #else
        _ = Darwin.close(descriptor)
        #endif
    }
}
