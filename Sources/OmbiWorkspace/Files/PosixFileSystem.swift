import OmbiPlatform

package struct PosixFileSystem: FileSystem {
    /// Far beyond any collection; keeps a file named by accident from filling the memory.
    static let maximumFileSize = 256 << 20

    /// True to read pipes to their end as well, and the standard input whatever it is.
    private let readsPipes: Bool

    /// The limit of waiting for the writer of a FIFO, in milliseconds; negative for none.
    private let pipeLimit: Int32

    package init() { (readsPipes, pipeLimit) = (false, 0) }

    package init(readsPipes: Bool, within milliseconds: Int32 = -1) {
        (self.readsPipes, pipeLimit) = (readsPipes, milliseconds)
    }

    package func read(_ path: String) throws(FileError) -> [UInt8] {
        let content = try content(path)
        return content.array(0..<content.count)
    }

    package func content(_ path: String, onPortion: (_ soFar: Bytes) -> Void) throws(FileError) -> Bytes {
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        let flags = O_RDONLY | O_CLOEXEC | (readsPipes && pipeLimit < 0 ? 0 : O_NONBLOCK)
        let given = readsPipes ? PipedFile.descriptor(of: path) : nil
        let descriptor = given.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } ?? open(path, flags)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read", path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FileError(operation: "read", path: path, code: EISDIR)
        case S_IFIFO where readsPipes:
            if given == nil, pipeLimit >= 0 { try awaitWriter(of: descriptor, path) }
        default: guard given == 0 else { throw FileError(operation: "read", path: path, code: EINVAL) }
        }
        return try readAll(descriptor, path, expected: Int(status.st_size), onPortion)
    }

    /// Waits for the first byte of a FIFO that was opened without waiting.
    private func awaitWriter(of descriptor: Int32, _ path: String) throws(FileError) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&entry, 1, pipeLimit)
            if count > 0 { break }
            if count == 0 { throw FileError(operation: "read", path: path, code: FileError.isUnwritten) }
            guard errno == EINTR else { throw failure("read", path) }
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    private func readAll(
        _ descriptor: Int32, _ path: String, expected: Int, _ onPortion: (Bytes) -> Void
    ) throws(FileError) -> Bytes {
        guard expected <= Self.maximumFileSize else { throw FileError(operation: "read", path: path, code: EFBIG) }
        // One byte more than expected: the read that fills less of it has found the end.
        let content = try fill(descriptor, path, maximum: expected + 1, onPortion)
        if content.count <= expected { return content }
        // Somebody writes the file, or the system does not know its size.
        var all = content.array(0..<content.count)
        while true {
            let portion = try fill(descriptor, path, maximum: Self.portion) { _ in }
            all += portion.array(0..<portion.count)
            // A terminal that is asked again does not end again.
            if portion.count < Self.portion { return Bytes(all) }
            guard all.count <= Self.maximumFileSize else {
                throw FileError(operation: "read", path: path, code: EFBIG)
            }
        }
    }

    /// The most bytes of one read.
    private static let portion = 256 << 10

    /// Reads as much as there is, up to a number of bytes.
    private func fill(
        _ descriptor: Int32, _ path: String, maximum: Int, _ onPortion: (Bytes) -> Void
    ) throws(FileError) -> Bytes {
        try Bytes(capacity: maximum) { (memory, view) throws(FileError) in
            var filled = 0
            while filled < memory.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
                let count = OmbiPlatform.read(descriptor, rest.baseAddress, min(rest.count, Self.portion))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw failure("read", path) }
                if count == 0 { break }
                filled += count
                if count == Self.portion { onPortion(view(filled)) }
            }
            return filled
        }
    }

    package func names(in folder: String) throws(FileError) -> [String] {
        guard let stream = opendir(folder) else { throw failure("read", folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    package func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    package func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    package func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    package func resolve(_ path: String) throws(FileError) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let code = errno
        var status = stat()
        let isDanglingLink = lstat(path, &status) == 0
        guard code == ENOENT, !isDanglingLink else { throw FileError(operation: "write", path: path, code: code) }
        let slash = path.lastIndex(of: "/")
        guard let folder = realpath(slash.map { String(path[...$0]) } ?? ".", nil) else { return path }
        defer { free(folder) }
        let real = String(cString: folder)
        return (real == "/" ? "" : real) + "/" + path[(slash.map(path.index(after:)) ?? path.startIndex)...]
    }

    package func modeForReplacing(_ path: String) throws(FileError) -> UInt32? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("write", path)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FileError(operation: "write", path: path, code: EISDIR)
        default: throw FileError(operation: "write", path: path, code: EINVAL)
        }
        guard access(path, W_OK) == 0 else { throw failure("write", path) }
        return UInt32(status.st_mode & 0o7777)
    }

    package func create(
        _ path: String, mode: UInt32?, _ next: () throws(FileError) -> [UInt8]?
    ) throws(FileError) {
        // A file that replaces another stays private until it has the permissions of that file.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode == nil ? 0o666 : 0o600)
        guard descriptor >= 0 else { throw failure("write", path) }
        // Some network drives have no permissions to set; the content matters more.
        if let mode { fchmod(descriptor, mode_t(mode)) }
        var code: Int32 = 0
        do throws(FileError) {
            while code == 0, let portion = try next() { code = write(portion, to: descriptor) }
        } catch {
            close(descriptor)
            throw error
        }
        if code == 0, fsync(descriptor) != 0 { code = errno }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code != 0 { throw FileError(operation: "write", path: path, code: code) }
    }

    /// Returns the errno of the failure, or 0.
    private func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = OmbiPlatform.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count == 0 ? ENOSPC : errno }
                rest = rest.dropFirst(count)
            }
            return 0
        }
    }

    package func makeFolder(_ path: String) throws(FileError) {
        if makeOneFolder(path) { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw failure("make", path)
        }
        try makeFolder(String(path[..<slash]))
        guard makeOneFolder(path) else { throw failure("make", path) }
    }

    /// Creates a folder. Returns true also when it exists already; on false, `errno` has the cause.
    private func makeOneFolder(_ path: String) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        let code = errno
        if code == EEXIST, isFolder(path) { return true }
        errno = code
        return false
    }

    package func rename(_ path: String, to target: String) throws(FileError) {
        if OmbiPlatform.rename(path, target) != 0 { throw failure("write", target) }
    }

    package func renameWithoutReplacing(_ path: String, to target: String) throws(FileError) {
        if link(path, target) == 0 {
            unlink(path)
            return
        }
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw failure("write", target) }
        // Without hard links it takes two steps.
        var status = stat()
        guard lstat(target, &status) != 0 else { throw FileError(operation: "write", path: target, code: EEXIST) }
        try rename(path, to: target)
    }

    package func synchronize(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    package func remove(_ path: String) { unlink(path) }

    package func removeLeftovers(in folder: String, of process: (String) -> Int32?) {
        for name in (try? names(in: folder)) ?? [] {
            guard let process = process(name), kill(process, 0) != 0, errno == ESRCH else { continue }
            // On a shared drive the process may run on another machine.
            var status = stat()
            let path = folder + name
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                time(nil) - Self.modified(status) > Self.leftoverAge
            else { continue }
            unlink(path)
        }
    }

    /// In seconds.
    private static let leftoverAge = 3600

    private static func modified(_ status: stat) -> Int {
        #if canImport(Darwin)
        status.st_mtimespec.tv_sec
        #else
        status.st_mtim.tv_sec
        #endif
    }

    private func failure(_ operation: String, _ path: String) -> FileError {
        FileError(operation: operation, path: path, code: errno)
    }
}

/// Writes a file in one step: whatever happens, it holds either its old content or all of the new.
package enum FileReplacement {
    /// Follows symbolic links, and keeps the permissions of an existing file.
    /// - Parameters:
    ///   - newFileMode: The permissions of a new file; nil for the usual ones.
    ///   - overwriting: False to keep a file that exists when everything is written.
    ///   - next: The next portion of the content; nil at its end. An error it throws leaves everything unchanged.
    /// - Throws: A `FileError` with the code `isThere` if an existing file may not be overwritten.
    package static func save(
        to path: String, newFileMode: UInt32? = nil, overwriting: Bool = true,
        fileSystem: some FileSystem = PosixFileSystem(), _ next: () throws(FileError) -> [UInt8]?
    ) throws(FileError) {
        try replace(
            try fileSystem.resolve(path), newFileMode: newFileMode, overwriting: overwriting, fileSystem, next)
    }

    /// Changes a file next to a collection. No link is followed: the folder may come from anyone, and its links may
    /// lead to files of the user.
    /// - Parameters:
    ///   - newFileMode: The permissions of a new file; nil for the usual ones.
    ///   - change: Returns the new content; nil leaves the file unchanged. Receives nil if there is no file.
    static func change(
        _ path: String, newFileMode: UInt32? = nil, _ fileSystem: some FileSystem,
        _ change: (_ known: [UInt8]?) throws(FileError) -> [UInt8]?
    ) throws(FileError) {
        guard !fileSystem.isLink(path) else { throw FileError(operation: "write", path: path, code: FileError.isLink) }
        var known: [UInt8]?
        do throws(FileError) { known = try fileSystem.read(path) } catch  where error.isAbsence {}
        if let content = try change(known) { try replace(path, with: content, newFileMode: newFileMode, fileSystem) }
    }

    /// Writes a whole content in place of a file, which is not a link.
    /// - Parameter newFileMode: The permissions of a new file; nil for the usual ones.
    static func replace(
        _ target: String, with content: [UInt8], newFileMode: UInt32? = nil, _ fileSystem: some FileSystem
    ) throws(FileError) {
        var content: [UInt8]? = content
        try replace(target, newFileMode: newFileMode, fileSystem) { () throws(FileError) in content.take() }
    }

    /// Writes a new file next to the target, which is not a link, and renames it onto the target in one system call.
    /// - Parameter newFileMode: The permissions of a new file; nil for the usual ones.
    static func replace(
        _ target: String, newFileMode: UInt32? = nil, overwriting: Bool = true, _ fileSystem: some FileSystem,
        _ next: () throws(FileError) -> [UInt8]?
    ) throws(FileError) {
        let found = try fileSystem.modeForReplacing(target)
        guard overwriting || found == nil else {
            throw FileError(operation: "write", path: target, code: FileError.isThere)
        }
        let mode = found ?? newFileMode
        let slash = target.lastIndex(of: "/")
        let folder = slash.map { String(target[...$0]) } ?? "./"
        let temporary = folder + temporaryName
        do throws(FileError) {
            try fileSystem.create(temporary, mode: mode, next)
            if overwriting {
                try fileSystem.rename(temporary, to: target)
            } else {
                try fileSystem.renameWithoutReplacing(temporary, to: target)
            }
        } catch {
            fileSystem.remove(temporary)
            throw FileError(operation: error.operation, path: target, code: error.code)
        }
        fileSystem.synchronize(folder: folder)
        fileSystem.removeLeftovers(in: folder, of: process)
    }

    private static var temporaryName: String { ".ombi-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp" }

    /// The program that makes a temporary file of that name.
    private static func process(of name: String) -> Int32? {
        let parts = name.split(separator: "-")
        guard parts.count == 3, parts[0] == ".ombi", parts[2].hasSuffix(".tmp"), UInt32(parts[2].dropLast(4)) != nil
        else { return nil }
        return Int32(parts[1]).flatMap { $0 > 0 ? $0 : nil }
    }
}
