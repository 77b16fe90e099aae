import OmbiPlatform
import OmbiProcess

/// Runs the program that writes a secret: no shell, no terminal, no input, and a time limit.
struct SecretCommand {
    struct Failure: Error, Equatable {
        /// A sentence without the value.
        var reason: String
        /// The exit status of a program without output.
        var silentStatus: Int32?
        /// The exit status of a program that has failed.
        var status: Int32?

        /// True if the program of a keyring has found no entry: `secret-tool` then prints nothing, and `security` ends
        /// with errSecItemNotFound.
        var isAbsence: Bool {
            #if canImport(Darwin)
            status == 44
            #else
            silentStatus == 1
            #endif
        }
    }

    var words: [String]
    /// The folder at which a relative path of the program starts.
    var folder: String
    var limit: Duration = Self.limit

    static let limit: Duration = .seconds(60)
    private static let maximumOutput = 1 << 20

    /// Returns the first line of its standard output, without a byte order mark. Blocks.
    func value() throws(Failure) -> String {
        let (output, errors, status) = try run(input: nil)
        let line = output.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let text = TextFile.text(of: Array(line))
        guard let status else {
            let end = output.count > Self.maximumOutput ? "wrote more than 1 MB" : "took more than \(limit.words)"
            throw Failure(reason: "\(name) \(end)")
        }
        guard status == 0 else {
            let isSilent = output.isEmpty && errors.isEmpty
            throw Failure(
                reason: explain(status, errors, hiding: text), silentStatus: isSilent ? status : nil,
                status: status)
        }
        guard let text else { throw Failure(reason: "\(name) did not write UTF-8 text") }
        guard !text.isEmpty else { throw Failure(reason: "\(name) wrote nothing on the first line") }
        return text
    }

    /// Writes a short text to its standard input and waits for its end. Blocks.
    func write(_ input: String) throws(Failure) {
        let (_, errors, status) = try run(input: input)
        guard let status else { throw Failure(reason: "\(name) took more than \(limit.words)") }
        guard status == 0 else { throw Failure(reason: explain(status, errors, hiding: input)) }
    }

    private var name: String { words.first ?? "" }

    /// The end of its standard error, without control characters and without the value.
    private func explain(_ status: Int32, _ errors: [UInt8], hiding value: String?) -> String {
        let lines = String(decoding: errors.suffix(2000), as: UTF8.self).split(whereSeparator: \.isNewline).suffix(2)
        let text = lines.joined(separator: " · ").visible
        let end = status > 128 ? "was ended by signal \(status - 128)" : "failed with status \(status)"
        guard !text.isEmpty else { return "\(name) \(end)" }
        let hidden = value.map { $0.count < 4 ? text : text.replacing($0, with: "••••••") } ?? text
        return "\(name) \(end): \(hidden)"
    }

    // MARK: The process

    private typealias Pipes = (output: Subprocess.Pipe, errors: Subprocess.Pipe)

    private func run(
        input: String?
    ) throws(Failure) -> (output: [UInt8], errors: [UInt8], status: Int32?) {
        guard let output = Subprocess.pipe(), let errors = Subprocess.pipe() else {
            throw Failure(reason: String(cString: strerror(errno)))
        }
        let pipes = (output: output, errors: errors)
        defer { for descriptor in [pipes.output.read, pipes.errors.read] { close(descriptor) } }
        let started = Result { () throws(Failure) in try start(pipes, input: input) }
        for descriptor in [pipes.output.write, pipes.errors.write] { close(descriptor) }
        return Self.collect(pipes, try started.get(), until: .now + limit)
    }

    /// A descriptor to read the text from, which a pipe holds as a whole.
    private static func source(_ input: String?) -> Int32? {
        guard let input else { return open("/dev/null", O_RDONLY | O_CLOEXEC) }
        guard let pipe = Subprocess.pipe() else { return nil }
        defer { close(pipe.write) }
        let bytes = Array(input.utf8.prefix(maximumInput))
        let count = bytes.withUnsafeBytes { OmbiPlatform.write(pipe.write, $0.baseAddress, $0.count) }
        guard count == bytes.count else {
            close(pipe.read)
            return nil
        }
        return pipe.read
    }

    private static let maximumInput = 4096

    private func start(_ pipes: Pipes, input: String?) throws(Failure) -> Subprocess {
        guard let input = Self.source(input) else { throw Failure(reason: String(cString: strerror(errno))) }
        defer { close(input) }
        let program = name.contains("/") ? RelativePath.resolve(name, folder: folder) : name
        do throws(Subprocess.Failure) {
            return try Subprocess(
                [program] + words.dropFirst(), files: [0: input, 1: pipes.output.write, 2: pipes.errors.write],
                ownSession: true)
        } catch {
            throw Failure(reason: error.description)
        }
    }

    /// Reads both pipes until the program has ended. The status is nil if it had to be killed.
    private static func collect(
        _ pipes: Pipes, _ process: Subprocess, until deadline: ContinuousClock.Instant
    ) -> (output: [UInt8], errors: [UInt8], status: Int32?) {
        var (output, errors): ([UInt8], [UInt8]) = ([], [])
        var waits = [pipes.output.read, pipes.errors.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var status: Int32?
        while output.count <= maximumOutput, .now < deadline {
            // A process that it left in the background may keep the pipes open.
            let hasEnded = status != nil
            let isOpen = waits.contains { $0.fd >= 0 }
            _ = poll(&waits, 2, hasEnded ? 0 : isOpen ? 50 : 5)
            var isQuiet = true
            for index in waits.indices where waits[index].fd >= 0 && waits[index].revents != 0 {
                isQuiet = false
                let bytes = more(waits[index].fd)
                if bytes.isEmpty { waits[index].fd = -1 }
                if index == 0 { output += bytes } else { errors = (errors + bytes).suffix(4096) }
            }
            if hasEnded, isQuiet { return (output, errors, status) }
            if !hasEnded { status = process.status }
        }
        kill(-process.pid, SIGKILL)
        if status == nil { _ = process.wait() }
        return (output, errors, nil)
    }

    /// Empty at the end.
    private static func more(_ descriptor: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }
}

extension Duration {
    fileprivate var words: String { "\(components.seconds) s" }
}

/// The error of a secret without a value. Never holds the value.
package struct SecretError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case notSet
        case empty
        case notText
        case unreadable(FileError)
        /// A program that failed, as a sentence.
        case failed(String)
        /// A program that was not run, or a prompt that was not shown.
        case notObtained
        /// The prompt was not answered.
        case unanswered
    }

    package var secret: Secret
    package var reason: Reason
    /// A description of the place in the local file that may have the value instead; nil without one.
    var localFile: String?

    /// The cause in a few words, for a place next to the secret's name.
    package var brief: String {
        switch reason {
        case .notSet: "not set"
        case .empty: "empty"
        case .notText: "not UTF-8 text"
        case .unreadable(let error): error.reason
        case .failed(let reason): reason
        case .notObtained: "not used yet"
        case .unanswered: "not typed"
        }
    }

    /// A secret that can be had: the session obtains it, or asks for it.
    var missing: MissingSecret? {
        switch (secret.source, reason) {
        case (_, .notObtained): MissingSecret(name: secret.name, description: description)
        case (.environment, .notSet), (.environment, .empty):
            MissingSecret(name: secret.name, isUnset: true, description: description)
        default: nil
        }
    }
}

extension SecretError: CustomStringConvertible {
    package var description: String {
        let name = "the secret \"\(secret.name)\""
        switch reason {
        case .failed(let text): return "\(name): \(text)"
        case .notObtained: return "\(name) has not been obtained"
        case .unanswered: return "\(name) is typed when it is needed, and was not; --set \(secret.name)=… gives it"
        case .notSet, .empty, .notText, .unreadable: break
        }
        return switch (secret.source, reason) {
        case (.environment(let variable), _):
            "{{\(secret.name)}} reads \(variable), which is \(brief); export it and run Ombi again"
                + (localFile.map { ", or put the value into \($0)" } ?? "")
        case (.file(let path), .unreadable(let error)): "\(name) is in the file \(path): \(error)"
        case (.file(let path), .notText): "\(name) is in the file \(path), which is not UTF-8 text"
        case (.file(let path), _): "\(name) is in the file \(path), which is empty"
        case (.envFile(let path, _), .unreadable(let error)): "\(name) is in \(path): \(error)"
        case (.envFile(let path, _), _): "\(name) is in \(path): \(brief)"
        case (.command, _), (.prompt, _), (.keyring, _), (.value, _): "\(name): \(brief)"
        }
    }
}

extension Secret.Source {
    /// True for a value that takes a program or a person, and is then kept.
    package var isObtained: Bool {
        switch self {
        case .command, .prompt, .keyring: true
        case .environment, .file, .envFile, .value: false
        }
    }

    /// True for a value that is read from a file each time.
    var isInFile: Bool {
        switch self {
        case .file, .envFile: true
        case .environment, .value, .command, .prompt, .keyring: false
        }
    }

    /// Returns the reason of a failed command. `secret-tool` prints nothing for an entry that it does not find.
    func explain(_ failure: SecretCommand.Failure) -> String {
        guard case .keyring(let service, let account) = self, failure.silentStatus == 1 else { return failure.reason }
        let attributes = ["service", service] + (account.map { ["account", $0] } ?? [])
        return "the keyring has no entry for it; `secret-tool store --label=\(ShellQuotes.word(service)) "
            + "\(attributes.map(ShellQuotes.word).joined(separator: " "))` adds one"
    }
}
