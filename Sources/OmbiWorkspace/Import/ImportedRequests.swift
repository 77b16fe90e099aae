/// The requests that were read from another tool's text, and notes on what could not be kept.
package struct ImportedRequests: Sendable, Equatable {
    package var requests: [SavedRequest]
    /// In the order of the text.
    package var notes: [ImportNote] = []
    /// The variables that a script sets.
    var variables: [Variable] = []

    /// The notes without those on variables that the script sets, and on values that its requests capture.
    var notesOnOthers: [ImportNote] {
        let names = variables.map(\.name) + requests.flatMap { $0.captures.map(\.name) }
        return notes.filter { note in !names.contains { note.message.hasPrefix("became {{\($0)}};") } }
    }

    /// The same with the variables of the script in the requests that use them, where no collection has them.
    package var withOwnVariables: ImportedRequests {
        var result = self
        for index in requests.indices {
            var names = VariableUses.names(in: requests[index])
            var own: [Variable] = []
            // The value of one may name earlier ones.
            for variable in variables.reversed() where names.contains(variable.name) {
                names.formUnion(VariableUses.names(in: [variable.value]))
                own.insert(variable, at: 0)
            }
            result.requests[index].variables = own
        }
        result.notes = notesOnOthers
        return result
    }

    /// The parts of the text that the requests do not have.
    package var losses: [ImportNote] { notes.filter { $0.kind == .loss } }
}

/// A remark on a part of an imported text.
package struct ImportNote: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The requests do not have this part.
        case loss
        /// The requests have it, in another form.
        case remark
    }

    package var position: TextPosition
    package var kind: Kind
    /// The part as it is written, such as `--insecure`.
    package var subject: String
    /// The reason, and the remedy.
    package var message: String
    /// The path of a file in the imported folder, or of one that the imported file refers to; nil for that file itself.
    package var file: String?
}

extension ImportNote {
    /// The loss of a part that has no position, such as a whole file.
    static func loss(_ subject: String, _ message: String, file: String? = nil) -> ImportNote {
        ImportNote(
            position: TextPosition(line: 1, column: 1), kind: .loss, subject: subject, message: message, file: file)
    }

    /// The message on a credential, which no request of a new collection keeps.
    static let staying = "stays in the request as it is; the palette (:) moves it to a secret"

    /// Returns the notes with those of one kind as one, which has their number and the position of the first.
    static func counted(_ notes: [ImportNote]) -> [ImportNote] {
        var counts: [Key: Int] = [:]
        for note in notes { counts[Key(note), default: 0] += 1 }
        var result: [ImportNote] = []
        for note in notes {
            guard let count = counts.removeValue(forKey: Key(note)) else { continue }
            var note = note
            if count > 1 { note.message += " (\(count) times, first here)" }
            result.append(note)
        }
        return result
    }

    /// A note apart from its position.
    private struct Key: Hashable {
        var kind: Kind
        var subject: String
        var message: String

        init(_ note: ImportNote) { (kind, subject, message) = (note.kind, note.subject, note.message) }
    }
}

extension ImportNote: CustomStringConvertible {
    /// `--insecure: message`
    package var description: String { "\(subject): \(message)" }
}

/// The error of a text that cannot be imported.
package struct ImportError: Error, Sendable, Hashable {
    package var position: TextPosition
    package var message: String
    /// The line of the text at that position.
    package var line: String
    /// The path of a file in the imported folder; nil for the imported file itself.
    package var file: String?

    /// The line, cut at both ends if it is long, and a caret below the position.
    package var excerpt: String {
        let characters = line.map { $0 == "\t" ? " " : $0 }
        let column = min(max(position.column - 1, 0), characters.count)
        let start = max(0, column - Self.maximumContext)
        let end = min(characters.count, column + Self.maximumContext)
        let (before, after) = (start > 0 ? "…" : "", end < characters.count ? "…" : "")
        let caret = String(repeating: " ", count: column - start + before.count) + "^"
        return before + String(characters[start..<end]) + after + "\n" + caret
    }

    /// In characters, on each side.
    private static let maximumContext = 60

    /// The error with the path of its file, if it has none.
    func located(in path: String) -> ImportError {
        var error = self
        error.file = file ?? path
        return error
    }

    /// The loss of what has the error.
    func loss(_ subject: String) -> ImportNote {
        ImportNote(position: position, kind: .loss, subject: subject, message: "left out: \(message)", file: file)
    }
}

extension [ImportNote] {
    /// The notes with the path of their file, if they have none.
    func located(in path: String) -> [ImportNote] {
        map { note in
            var note = note
            note.file = note.file ?? path
            return note
        }
    }
}

extension ImportError: CustomStringConvertible {
    package var description: String { "\(position): \(message)" }
}

extension SavedRequest {
    /// Returns the request for a collection of another folder: its relative paths name the same files from there.
    /// - Parameters:
    ///   - folder: the folder that the paths are relative to.
    ///   - collection: the path of the collection file, which need not exist.
    package func relocated(from folder: String, to collection: String) -> SavedRequest {
        let home = RelativePath.folder(of: collection)
        let way = TemplateText.escaped(RelativePath.way(from: home, to: folder))
        guard !way.isEmpty else { return self }
        func moved(_ path: String) -> String {
            // A variable in front may have a whole path.
            if path.isEmpty || ["/", "~/", "{{"].contains(where: { path.hasPrefix($0) }) { return path }
            return way + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
        }
        func setting(_ path: String?) -> String? { SavedConnection.isOn(path) ? path.map(moved) : path }
        var request = self
        request.body = body?.mappingPaths(moved)
        if let operation { request.operation?.specification = moved(operation.specification) }
        if var connection = connection {
            connection.caFile = setting(connection.caFile)
            connection.unixSocket = setting(connection.unixSocket)
            if var certificate = connection.clientCertificate, !certificate.isOff {
                certificate.file = moved(certificate.file)
                certificate.key = certificate.key.map(moved)
                connection.clientCertificate = certificate
            }
            request.connection = connection
        }
        return request
    }
}

extension SavedBody {
    /// Returns the body with the paths of its files changed.
    fileprivate func mappingPaths(_ change: (_ path: String) -> String) -> SavedBody {
        switch self {
        case .file(var content):
            content.path = change(content.path)
            return .file(content)
        case .multipart(var content):
            for index in content.parts.indices {
                guard case .file(let path) = content.parts[index].content else { continue }
                content.parts[index].content = .file(change(path))
            }
            return .multipart(content)
        case .json, .text, .form, .graphql: return self
        }
    }
}

extension SavedRequest {
    /// Returns the request with a path below the host of an environment; nil if its URL leads elsewhere.
    package func relative(to environment: Environment) -> SavedRequest? {
        var host = RequestTarget.host(environment.host)[...]
        while host.last == "/" { host.removeLast() }
        let target = target
        guard !host.isEmpty, target.isURL, target.text.hasPrefix(host) else { return nil }
        let rest = target.text.dropFirst(host.count)
        guard rest.isEmpty || rest.first == "/" || rest.first == "?", RequestTarget(String(rest)).problem == nil else {
            return nil
        }
        var request = self
        request.path = rest.isEmpty ? "/" : String(rest)
        return request
    }
}
