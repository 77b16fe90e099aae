import Dispatch
import OmbiCore
import OmbiDocument

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What `ombi view` reads: a mapped file, or a pipe that delivers while it is looked at.
// Proof of Sendable: `input` is used in `init`, and from then on by the queue alone; what others see is behind the lock.
final class ViewInput: @unchecked Sendable {
    private var input: FilterInput
    private let queue = DispatchQueue(label: "ombi.input")
    private let published = Lock(Bytes.empty)

    private static let portion = 1 << 20

    /// - Parameter path: `-` is standard input, which is kept: descriptor 0 may become the terminal.
    init(_ path: String) throws(FilterInputError) {
        input = try FilterInput(path, standardInput: dup(0))
    }

    /// What has come so far.
    var bytes: Bytes { published.withLock { $0 } }

    /// Reads to the end.
    /// - Parameter onMore: called when there is more in `bytes`, with whether that is all.
    func read(onMore: @escaping @Sendable (Bool) -> Void, onFailure: @escaping @Sendable (String) -> Void) {
        queue.async {
            do throws(FilterInputError) {
                while try self.input.read(atMost: self.input.isStream ? Self.portion : .max) != nil {
                    self.publish()
                    onMore(false)
                }
            } catch {
                onFailure(error.description)
            }
            onMore(true)
        }
    }

    /// Reads to the end, and gives all of it.
    func all() throws(FilterInputError) -> Bytes {
        while try input.read(atMost: input.isStream ? Self.portion : .max) != nil {}
        publish()
        return bytes
    }

    /// Copies all of it to standard output.
    func copy() throws(FilterInputError) {
        var written = 0
        while try input.read(atMost: Self.portion) != nil {
            let bytes = input.bytes
            StandardOutput.write(bytes.array(written..<bytes.count))
            written = bytes.count
        }
    }

    private func publish() {
        let read = input.bytes
        published.withLock { $0 = Bytes(base: read.base, count: read.count, owner: self) }
    }
}
