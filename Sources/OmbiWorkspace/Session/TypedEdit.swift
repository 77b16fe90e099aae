/// A user's edit that may have added sources: values typed in Ombi are granted for the host that they are typed for.
package struct TypedEdit: Equatable, Sendable {
    package var file: String
    package var before: Collection
    package var after: Collection
    /// The request whose body or connection was edited; nil for another part. Text that was pasted with another URL, or
    /// moved here, does not count as typed.
    package var request: ItemID?
    package var environment: String?

    /// Returns nil for an edit that cannot have brought any.
    package init?(
        file: String, from before: Collection, to after: Collection, request: ItemID?, environment: String?
    ) {
        (self.file, self.before, self.after) = (file, before, after)
        self.environment = environment
        if let request, let old = before.request(request), let new = after.request(request), old.path == new.path,
            old.body != new.body || old.connection != new.connection
        {
            self.request = request
        }
        guard self.request != nil || before.environments.map(\.secrets) != after.environments.map(\.secrets) else {
            return nil
        }
    }
}

extension Session {
    /// Grants the sources that an edit has added: a new secret for the host of its environment, and new files and
    /// sockets of a request for its server. A source that the file had already needs a grant for another destination.
    package func grant(_ edit: TypedEdit) {
        let flows = secrets(of: edit) + files(of: edit)
        guard let question = steps.gate.question(about: flows, of: edit.file) else { return }
        // The next run asks if grants cannot be kept.
        try? steps.gate.grant(question, .allowed)
    }

    private func secrets(of edit: TypedEdit) -> [Flow] {
        let known = edit.before.environments.flatMap { $0.secrets.map(\.source) }
        return edit.after.environments.flatMap { environment -> [Flow] in
            let new = environment.secrets.filter { !known.contains($0.source) }
            return new.flatMap { secret -> [Flow] in
                let probe = SavedRequest(name: "", path: "/", headers: [Field("X", "{{\(secret.name)}}")])
                let order = RunOrder(
                    id: 0, request: probe, collection: edit.after, environment: environment.name, file: edit.file)
                let source = reader(for: order).source(of: secret)
                return knownFlows(of: order).filter { $0.source == source }
            }
        }
    }

    /// A file whose name was there before, as in a row that is only switched on, was not typed.
    private func files(of edit: TypedEdit) -> [Flow] {
        func flows(_ collection: Collection) -> [Flow] {
            guard let request = edit.request.flatMap({ collection.request($0) }) else { return [] }
            let order = RunOrder(
                id: 0, request: request, collection: collection, environment: edit.environment, file: edit.file)
            return knownFlows(of: order)
        }
        let paths = TypedPaths(of: edit)
        return flows(edit.after).typedFiles(since: flows(edit.before)).filter { paths.name($0.source) }
    }

    /// Lets the files that a person has named for one run go to the server of the request. A source of its collection needs a
    /// grant as in any run.
    package func allow(typed order: RunOrder) {
        var bare = order
        bare.request = SavedRequest(name: order.request.name, path: order.request.path)
        steps.gate.allow(knownFlows(of: order).typedFiles(since: knownFlows(of: bare)), of: order.file)
    }
}

extension [Flow] {
    /// The files, certificates and sockets that were no sources before.
    fileprivate func typedFiles(since before: [Flow]) -> [Flow] {
        let known = Set(before.map(\.source))
        return filter { flow in
            switch flow.source {
            case .file, .certificate, .socket: !known.contains(flow.source)
            default: false
            }
        }
    }
}

/// The texts that an edit has brought into a request, as the names of files.
private struct TypedPaths {
    private let texts: Set<String>
    private let folder: String

    init(of edit: TypedEdit) {
        func texts(_ collection: Collection) -> Set<String> {
            var found: Set<String> = []
            if let request = edit.request.flatMap({ collection.request($0) }) { Self.add(request.json, to: &found) }
            return found
        }
        self.texts = texts(edit.after).subtracting(texts(edit.before))
        folder = edit.file.lastIndex(of: "/").map { String(edit.file[..<$0]) } ?? "."
    }

    private static func add(_ value: JSONValue, to texts: inout Set<String>) {
        switch value {
        case .string(let text): texts.insert(text)
        case .array(let values): for value in values { add(value, to: &texts) }
        case .object(let members): for member in members { add(member.value, to: &texts) }
        case .null, .bool, .number: break
        }
    }

    /// True for a file that one of the texts names. The link in a workspace names what its author likes.
    func name(_ source: Source) -> Bool {
        switch source {
        case .file(let path), .certificate(let path), .socket(let path): texts.contains { isName($0, of: path) }
        default: false
        }
    }

    private func isName(_ text: String, of path: String) -> Bool {
        // The socket of a proxy is in a URL.
        if text.hasSuffix("://" + path) { return true }
        let isAbsolute = text.hasPrefix("/") || text.hasPrefix("~/")
        let start = isAbsolute ? folder : Workspace.real(folder) ?? folder
        let place = RelativePath.resolve(text, folder: start)
        guard (Workspace.real(place) ?? place) == path else { return false }
        guard let root = Workspace.root(of: folder) else { return true }
        let plain = Self.withoutDots(place)
        return plain == path || !plain.hasPrefix(root + "/")
    }

    /// Returns a path without `.` and `..`, resolved by its text alone.
    private static func withoutDots(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
