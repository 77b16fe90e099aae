import OmbiPlatform

/// Notices changes of the files in folders: with inotify on Linux, elsewhere by looking once a second.
///
/// It watches folders rather than files, because editors and git replace a file by another one of its name. A folder that is
/// gone is looked for once a second.
@MainActor
final class FolderWatcher {
    /// Called with a folder and the names in it that may have changed; with nil for any of them.
    private let onChange: (_ folder: String, _ names: Set<String>?) -> Void
    #if canImport(Glibc)
    private let queue = FolderEvents()
    private var source: (any DispatchSourceRead)?
    #endif
    /// The folders that are looked into, with their contents at the last look.
    private var polled: [String: [String: FileStamp]] = [:]
    private var timer: (any DispatchSourceTimer)?

    /// A program that replaces a file takes several steps; they come as one change.
    private static let delay = DispatchTimeInterval.milliseconds(50)
    private static let interval = DispatchTimeInterval.seconds(1)
    private var changes: [String: Set<String>?] = [:]

    init(onChange: @escaping (_ folder: String, _ names: Set<String>?) -> Void) {
        self.onChange = onChange
    }

    func watch(_ folder: String) {
        guard !isWatched(folder), !begin(folder) else { return }
        polled[folder] = Self.contents(of: folder)
        startTimer()
    }

    func stop() {
        stopTimer()
        #if canImport(Glibc)
        source?.cancel()
        source = nil
        #endif
    }

    private func add(_ names: Set<String>?, in folder: String) {
        if changes.isEmpty {
            DispatchQueue.main.asyncAfter(deadline: .now() + Self.delay) { [weak self] in
                MainActor.assumeIsolated { self?.passOn() }
            }
        }
        guard let names, let known = changes[folder, default: []] else { return changes[folder] = .some(nil) }
        changes[folder] = known.union(names)
    }

    private func passOn() {
        let changes = changes
        self.changes = [:]
        for (folder, names) in changes { onChange(folder, names) }
    }

    // MARK: Looking

    /// Looks into the folders that the system does not watch, and hands over those that it can.
    private func poll() {
        for (folder, before) in polled {
            let isHandedOver = begin(folder)
            let now = Self.contents(of: folder)
            let names = Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }
            if !names.isEmpty { add(names, in: folder) }
            polled[folder] = isHandedOver ? nil : now
        }
        if polled.isEmpty { stopTimer() } else { startTimer() }
    }

    private func startTimer() {
        guard timer == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(
            deadline: .now() + Self.interval, repeating: Self.interval, leeway: DispatchTimeInterval.milliseconds(100))
        timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.poll() } }
        timer.activate()
        self.timer = timer
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    private static func contents(of folder: String) -> [String: FileStamp] {
        let names = (try? PosixFileSystem().names(in: folder)) ?? []
        let stamps = names.compactMap { name in FileStamp("\(folder)/\(name)").map { (name, $0) } }
        return Dictionary(stamps) { first, _ in first }
    }

    // MARK: Being notified

    #if canImport(Glibc)
    private func isWatched(_ folder: String) -> Bool { polled[folder] != nil || queue?.folders[folder] != nil }

    /// Returns false when the system cannot watch the folder, as while there is none.
    private func begin(_ folder: String) -> Bool {
        guard let queue, queue.watch(folder) else { return false }
        guard source == nil else { return true }
        let source = DispatchSource.makeReadSource(fileDescriptor: queue.descriptor, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.take() } }
        // Keeps the descriptor open as long as the source uses it.
        source.setCancelHandler { withExtendedLifetime(queue) {} }
        source.activate()
        self.source = source
        return true
    }

    private func take() {
        let events = queue?.take() ?? []
        for event in events {
            switch event {
            case .changed(let name, let folder): add([name], in: folder)
            case .gone(let folder):
                polled[folder] = [:]
                add(nil, in: folder)
            case .overflow: for folder in queue?.folders.keys.sorted() ?? [] { add(nil, in: folder) }
            }
        }
        if !polled.isEmpty { poll() }
    }
    #else
    private func isWatched(_ folder: String) -> Bool { polled[folder] != nil }

    private func begin(_ folder: String) -> Bool { false }
    #endif
}

#if canImport(Glibc)
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
