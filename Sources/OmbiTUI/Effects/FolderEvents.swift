#if canImport(Glibc)
import Glibc

/// The kernel's queue of changes in folders (inotify(7)).
@MainActor
final class FolderEvents {
    enum Event: Equatable {
        case changed(name: String, folder: String)
        /// The folder was deleted or renamed, and is no longer watched.
        case gone(folder: String)
        /// Events were lost.
        case overflow
    }

    let descriptor: Int32
    /// The numbers of the watches, by folder.
    private(set) var folders: [String: Int32] = [:]

    private static let mask =
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    private static let ended = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT

    /// Nil where the system has no queue left for the user.
    init?() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Returns false when there is no such folder, or no watch left.
    func watch(_ folder: String) -> Bool {
        let number = inotify_add_watch(descriptor, folder, UInt32(Self.mask) | UInt32(IN_ONLYDIR))
        guard number >= 0 else { return false }
        folders[folder] = number
        return true
    }

    /// Returns the events since the last call.
    func take() -> [Event] {
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return events }
            buffer.withUnsafeBytes { events += parse($0[..<count]) }
        }
    }

    private func parse(_ bytes: Slice<UnsafeRawBufferPointer>) -> [Event] {
        var rest = UnsafeRawBufferPointer(rebasing: bytes)
        var events: [Event] = []
        let head = MemoryLayout<inotify_event>.size
        while rest.count >= head {
            let event = rest.loadUnaligned(as: inotify_event.self)
            let name = rest[head..<min(rest.count, head + Int(event.len))].prefix { $0 != 0 }
            events += self.events(of: event, String(decoding: name, as: UTF8.self))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(head + Int(event.len)))
        }
        return events
    }

    private func events(of event: inotify_event, _ name: String) -> [Event] {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return [.overflow] }
        // One folder may be watched under two names.
        let watched = folders.filter { $0.value == event.wd }.map(\.key)
        guard event.mask & UInt32(Self.ended) != 0 else { return watched.map { .changed(name: name, folder: $0) } }
        if event.mask & UInt32(IN_IGNORED) == 0 { inotify_rm_watch(descriptor, event.wd) }
        for folder in watched { folders[folder] = nil }
        return watched.map { .gone(folder: $0) }
    }
}
#endif
