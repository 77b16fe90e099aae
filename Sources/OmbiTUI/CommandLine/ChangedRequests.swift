import OmbiPlatform
import OmbiProcess

/// The requests of `ombi run --changed-since`: those of which a part of the file is another than at a revision of git.
enum ChangedRequests {
    /// A collection file at the revision.
    private enum Earlier {
        /// The same, byte by byte.
        case same
        /// There was none, or none that can be read.
        case missing
        case other(RequestChanges)
    }

    /// Returns the jobs that are sent; all of a file that is new.
    static func of(_ jobs: [Job], since revision: String) throws -> [Job] {
        // The jobs of a file have one environment.
        var files: [String: Earlier] = [:]
        var changed: [Job] = []
        for job in jobs {
            let earlier = try files[job.order.file] ?? read(job.order, revision)
            files[job.order.file] = earlier
            switch earlier {
            case .same: break
            case .missing: changed.append(job)
            case .other(let changes): if changes.isChanged(job.request.id) { changed.append(job) }
            }
        }
        return changed
    }

    private static func read(_ order: RunOrder, _ revision: String) throws -> Earlier {
        guard !PosixFileSystem().isFolder(order.file) else {
            StandardError.report("\(order.file) is a folder of another tool, so all of its requests are sent")
            return .missing
        }
        let (path, now) = try current(order.file)
        guard let known = try content(of: path, revision) else { return .missing }
        if known == now { return .same }
        let read = CollectionFile.read(known, file: order.file).collection
        // Requests that are based on operations are so now, too: the document is a file of its own.
        let earlier = LoadedCollection(path: order.file, collection: read, fingerprint: .absent).specified()
        guard let old = earlier.collection else {
            StandardError.report(
                "\(order.file) cannot be read as it was at \(revision), so all of its requests are sent")
            return .missing
        }
        return .other(RequestChanges(from: old, to: order.collection, environment: order.environment))
    }

    /// Returns the path without links, which git keeps as links, and the content.
    private static func current(_ file: String) throws -> (path: String, content: [UInt8]) {
        let system = PosixFileSystem()
        return try ExitStatus.inputOutput.onError {
            let path = try system.resolve(file)
            return (path, try system.read(path))
        }
    }

    private static func content(of path: String, _ revision: String) throws -> [UInt8]? {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return try ExitStatus.misuse.onError {
            try GitRevision(revision, in: folder).content(of: String(path[slash...].dropFirst()))
        }
    }
}

/// A commit of the git repository that a folder is in.
///
/// git is run without a shell. The commands only read objects: no hook, filter or pager of the repository is started,
/// and no program or server by which its settings would fetch an object that is not there.
struct GitRevision {
    struct Failure: Error, CustomStringConvertible {
        /// A sentence that says what to do.
        let description: String
    }

    private let folder: String
    private let commit: String

    /// - Parameters:
    ///   - name: as git takes it, such as `origin/main` or `HEAD~3`.
    ///   - folder: an absolute path.
    init(_ name: String, in folder: String) throws(Failure) {
        let root = try Self.git(["rev-parse", "--show-toplevel"], in: folder)
        guard root.status == 0 else {
            throw Failure(description: "\(folder) is in no git repository that can be read\(root.words)")
        }
        let found = try Self.git(["rev-parse", "--verify", "--quiet", name + "^{commit}"], in: folder)
        let hash = String(decoding: found.output, as: UTF8.self).prefix { $0.isHexDigit }
        guard found.status == 0, !hash.isEmpty else {
            throw Failure(
                description: "git knows no revision \(name) in \(folder); a shallow clone has only the newest commits, "
                    + "`git fetch` brings others")
        }
        (self.folder, commit) = (folder, String(hash))
    }

    /// Returns the content that a file of the folder has in the commit; nil where it has none.
    func content(of name: String) throws(Failure) -> [UInt8]? {
        let listed = try Self.git(["ls-tree", "-z", commit, "./" + name], in: folder)
        guard listed.status == 0 else { throw unreadable(name, listed) }
        guard !listed.output.isEmpty else { return nil }
        let content = try Self.git(["cat-file", "blob", "\(commit):./\(name)"], in: folder)
        guard content.status == 0 else { throw unreadable(name, content) }
        return content.output
    }

    private func unreadable(_ name: String, _ answer: Answer) -> Failure {
        Failure(description: "git cannot read \(name) of \(commit.prefix(12))\(answer.words)")
    }

    // MARK: The program

    private struct Answer {
        var status: Int32
        var output: [UInt8]
        var errors: [UInt8]

        /// The last line of its standard error.
        var words: String {
            let lines = String(decoding: errors.suffix(1000), as: UTF8.self).split(whereSeparator: \.isNewline)
            return lines.last.map { ": \($0)" } ?? ""
        }
    }

    private static let limit: Duration = .seconds(60)
    private static let maximumOutput = 256 << 20
    /// In bytes, about.
    private static let maximumErrors = 1 << 16
    /// The settings of a repository cannot change these.
    private static let surroundings = [
        "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0",
    ]

    private static func git(_ words: [String], in folder: String) throws(Failure) -> Answer {
        guard let output = Subprocess.pipe() else { throw Failure(description: String(cString: strerror(errno))) }
        defer { close(output.read) }
        guard let errors = Subprocess.pipe() else {
            close(output.write)
            throw Failure(description: String(cString: strerror(errno)))
        }
        defer { close(errors.read) }
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let started = Result { () throws(Subprocess.Failure) -> Subprocess in
            try Subprocess(
                ["git", "-C", folder] + words, files: [0: input, 1: output.write, 2: errors.write], ownSession: true,
                environment: surroundings)
        }
        for descriptor in [input, output.write, errors.write] where descriptor >= 0 { close(descriptor) }
        switch started {
        case .success(let process): return try collect(process, output.read, errors.read)
        case .failure(let failure):
            throw Failure(description: "\(failure.description); --changed-since asks git what was there before")
        }
    }

    /// Reads both pipes to their ends, and waits for the end of the program.
    private static func collect(
        _ process: Subprocess, _ output: Int32, _ errors: Int32
    ) throws(Failure) -> Answer {
        let deadline = ContinuousClock.now + limit
        var waits = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var answer = Answer(status: 0, output: [], errors: [])
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while waits.contains(where: { $0.fd >= 0 }) {
            guard ContinuousClock.now < deadline, answer.output.count <= maximumOutput else {
                kill(-process.pid, SIGKILL)
                _ = process.wait()
                let end = answer.output.count > maximumOutput ? "wrote more than 256 MiB" : "took more than a minute"
                throw Failure(description: "git \(end) and was stopped")
            }
            _ = poll(&waits, 2, 100)
            for index in waits.indices where waits[index].fd >= 0 && waits[index].revents != 0 {
                let count = read(waits[index].fd, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { waits[index].fd = -1 }
                let portion = buffer.prefix(max(0, count))
                if index == 0 { answer.output += portion }
                if index == 1, answer.errors.count < maximumErrors { answer.errors += portion }
            }
        }
        answer.status = process.wait()
        return answer
    }
}
