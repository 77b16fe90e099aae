import Foundation
import Glibc

/// A real terminal device with a `VirtualTerminal` at its other end: a program (or a part of one) draws on it as on
/// any terminal, and a test looks at what a person would see, types, resizes and waits without sleeping.
public final class PseudoTerminal: @unchecked Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    /// The side that a program uses as its terminal.
    public let slave: Int32
    private let master: Int32
    private let devicePath: String
    /// Written to when the device is to go: it wakes the thread that reads.
    private let wake: (read: Int32, write: Int32)
    /// Held while `master` is used for something else than reading, so that its number is not used after it was closed.
    private let mastering = NSLock()
    private var masterIsOpen = true
    // All below is guarded by `changed`, which makes the class safe to share; the descriptors never change.
    private let changed = NSCondition()
    private var terminal: VirtualTerminal
    private var received: [UInt8] = []
    private var isClosed = false
    private var child: pid_t = 0
    private var status: Int32?

    public init(columns: Int, rows: Int) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(description: "make a pipe: error \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wake = (ends[0], ends[1])
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard master >= 0 else { throw Failure(description: "open /dev/ptmx: error \(errno)") }
        var unlocked: Int32 = 0
        var number: Int32 = 0
        // TIOCSPTLCK and TIOCGPTN of Linux.
        guard ioctl(master, 0x4004_5431, &unlocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw Failure(description: "set up /dev/ptmx: error \(errno)")
        }
        devicePath = "/dev/pts/\(number)"
        slave = open(devicePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Failure(description: "open \(devicePath): error \(errno)") }
        terminal = VirtualTerminal(columns: columns, rows: rows)
        setSize(columns, rows)
        let reader = Thread { [self] in readAll() }
        reader.stackSize = 1 << 20
        reader.start()
    }

    /// Lets the device go, and the thread that reads from it when no program has it open any more.
    public func close() {
        let isFirst = changed.withLock {
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { _ = Glibc.close(slave) }
    }

    /// Takes the terminal away from the program, as closing a window does: it gets a SIGHUP, and the end of its input.
    public func hangUp() {
        close()
        mastering.withLock {
            var byte: UInt8 = 0
            if masterIsOpen { _ = write(wake.write, &byte, 1) }
        }
    }

    // MARK: The program

    /// Starts a program with this terminal as its controlling one, in a session of its own.
    public func spawn(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = ["TERM": "xterm-256color"],
        directory: String? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Opened by the new session's leader, the terminal becomes its controlling one.
        posix_spawn_file_actions_addopen(&actions, 0, devicePath, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // As from a shell: this thread's mask, which in a test may hold back every signal, is not handed on.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID, which Swift does not show.
        let newSession = 0x80
        posix_spawnattr_setflags(
            &attributes, Int16(newSession | Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF)))
        // Debian's Swift does not show posix_spawn's own way to change the directory.
        let line = directory.map { ["/usr/bin/env", "-C", $0, program] } ?? [program]
        var words = (line + arguments).map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, line[0], &actions, &attributes, &words, &settings)
        guard code == 0 else { throw Failure(description: "start \(program): error \(code)") }
        let started = pid
        changed.withLock { child = started }
        let waiter = Thread { [self] in waitForChild(started) }
        waiter.start()
    }

    public var processIdentifier: pid_t { changed.withLock { child } }

    public func kill(_ signal: Int32) {
        let pid = processIdentifier
        if pid > 0 { _ = Glibc.kill(pid, signal) }
    }

    /// Waits until the program has ended and all that it wrote is on the screen.
    /// - Returns: its exit code, or the signal that killed it as a negative number.
    public func waitForExit(timeout: TimeInterval = 20) throws -> Int32 {
        let status = try wait(timeout, "the program to end") { _ in self.status }
        try waitForOutput(timeout)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    /// What is written to the device after the program's last byte is read after it as well. The mark has no picture.
    private func waitForOutput(_ timeout: TimeInterval) throws {
        let mark = Array("\u{1B}]the end\u{07}".utf8)
        let isMarked = changed.withLock { !isClosed && write(slave, mark, mark.count) == mark.count }
        guard isMarked else { return }
        _ = try wait(timeout, "the last of the output") { _ -> Bool? in
            guard self.received.suffix(mark.count).elementsEqual(mark) else { return nil }
            self.received.removeLast(mark.count)
            return true
        }
    }

    // MARK: The person

    /// Types. What a program does not read within 20 s is dropped.
    public func send(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        mastering.withLock {
            var start = 0
            while start < bytes.count, masterIsOpen {
                let count = bytes.withUnsafeBytes {
                    write(master, $0.baseAddress?.advanced(by: start), bytes.count - start)
                }
                if count > 0 {
                    start += count
                } else {
                    var ready = pollfd(fd: master, events: Int16(POLLOUT), revents: 0)
                    guard errno == EAGAIN || errno == EINTR, poll(&ready, 1, 20_000) > 0 else { return }
                }
            }
        }
    }

    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Gives the window another size; the program gets a SIGWINCH.
    public func resize(columns: Int, rows: Int) {
        changed.withLock { terminal.resize(columns: columns, rows: rows) }
        setSize(columns, rows)
    }

    public var screen: VirtualTerminal { changed.withLock { terminal } }

    /// All that was written to the terminal so far.
    public var bytes: [UInt8] { changed.withLock { received } }

    /// Waits until the screen is as wanted, without sleeping: each arrival of bytes has another look.
    @discardableResult
    public func waitForScreen(
        timeout: TimeInterval = 20, until isWanted: (VirtualTerminal) -> Bool
    ) throws -> VirtualTerminal {
        try wait(timeout, "the screen") { isWanted($0) ? $0 : nil }
    }

    // MARK: The device

    /// Whether the terminal echoes what is typed and reads whole lines: how a shell finds it in order.
    public var isCooked: Bool {
        let flags = tcflag_t(ECHO | ICANON | ISIG)
        return modes.c_lflag & flags == flags && modes.c_oflag & tcflag_t(OPOST) != 0
    }

    /// Whether Ctrl+S would stop the output instead of reaching the program.
    public var stopsOnControlS: Bool { modes.c_iflag & tcflag_t(IXON) != 0 }

    /// The modes that programs have set on the terminal.
    public var modes: termios {
        var modes = termios()
        tcgetattr(slave, &modes)
        return modes
    }

    private func setSize(_ columns: Int, _ rows: Int) {
        var size = winsize(
            ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns), ws_xpixel: 0, ws_ypixel: 0)
        mastering.withLock {
            if masterIsOpen { _ = ioctl(master, UInt(TIOCSWINSZ), &size) }
        }
    }

    private func wait<Found>(
        _ timeout: TimeInterval, _ what: String, _ find: (VirtualTerminal) -> Found?
    ) throws -> Found {
        let deadline = Date(timeIntervalSinceNow: timeout)
        changed.lock()
        defer { changed.unlock() }
        while true {
            if let found = find(terminal) { return found }
            guard changed.wait(until: deadline) else {
                throw Failure(description: "waited \(timeout) s for \(what); it shows:\n\(terminal.text)")
            }
        }
    }

    private func readAll() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while waitForBytes() {
            let count = read(master, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            changed.lock()
            if count > 0 {
                terminal.feed(buffer[..<count])
                received += buffer[..<count]
            }
            changed.broadcast()
            changed.unlock()
            if count <= 0 { break }
        }
        mastering.withLock {
            masterIsOpen = false
            for descriptor in [master, wake.read, wake.write] { _ = Glibc.close(descriptor) }
        }
    }

    /// False when the device is to be hung up.
    private func waitForBytes() -> Bool {
        var waits = [
            pollfd(fd: master, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waits, 2, -1) < 0, errno == EINTR {}
        return waits[1].revents == 0
    }

    private func waitForChild(_ pid: pid_t) {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        changed.lock()
        self.status = status
        changed.broadcast()
        changed.unlock()
    }
}
