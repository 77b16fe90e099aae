import CNcurses

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
