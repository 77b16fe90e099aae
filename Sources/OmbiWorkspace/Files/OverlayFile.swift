import OmbiPlatform

/// `NAME.local.json` next to a collection file: variables, secrets with their values, and environments for this machine
/// only.
enum OverlayFile {
    static let suffix = ".local.json"

    /// The path next to a collection; nil for a file that has none.
    static func path(for file: String) -> String? {
        file.hasSuffix(".json") && !file.hasSuffix(suffix) ? String(file.dropLast(5)) + suffix : nil
    }

    /// Returns true for the name of a file that changes what collections in its folder mean.
    static func isBeside(_ name: String) -> Bool { name.hasSuffix(suffix) || name.hasPrefix(".env") }

    /// Merges the files next to a collection into it. An error there counts as one of the collection: a request must
    /// not be sent with half of its settings.
    static func attach(to loaded: inout LoadedCollection, _ fileSystem: some FileSystem) {
        guard var collection = loaded.collection else { return }
        var problems: [Problem] = []
        if let path = path(for: loaded.path) {
            do throws(FileError) {
                problems += read(try fileSystem.read(path), file: path, into: &collection)
            } catch  where !error.isAbsence {
                problems.append(Problem(file: path, message: error.reason))
            } catch {}
        }
        problems += readEnvFiles(of: &collection, in: loaded.path, fileSystem)
        loaded.problems += problems
        loaded.collection = problems.contains { $0.severity == .error } ? nil : collection
    }

    /// Reads the names in the `.env` files of another tool's collection. Returns the errors there, with which there is
    /// no collection.
    static func attachEnvFiles(
        to collection: inout Collection?, of path: String, _ fileSystem: some FileSystem = PosixFileSystem()
    ) -> [Problem] {
        guard var read = collection else { return [] }
        let problems = readEnvFiles(of: &read, in: path, fileSystem)
        collection = problems.isEmpty ? read : nil
        return problems
    }

    private static func readEnvFiles(
        of collection: inout Collection, in file: String, _ fileSystem: some FileSystem
    ) -> [Problem] {
        var problems: [Problem] = []
        let folder = RelativePath.folder(of: file)
        let own = Set(collection.overlay.environments.compactMap(\.envFile))
        for named in Set(collection.environments.compactMap(\.envFile)).union(own) {
            let path = RelativePath.resolve(named, folder: folder)
            // Nothing of this machine is read because a file from elsewhere says so.
            guard own.contains(named) || !isElsewhere(path, folder) else { continue }
            guard let bytes = try? fileSystem.read(path) else { continue }
            do throws(EnvFile.Failure) {
                collection.overlay.envFiles[named] = try EnvFile(bytes).entries.map(\.name)
            } catch {
                let position = TextPosition(line: error.line, column: error.column)
                problems.append(Problem(file: path, position: position, message: error.message))
            }
        }
        return problems
    }

    /// Returns true for a file outside of the workspace, be it hidden or not.
    static func isElsewhere(_ path: String, _ folder: String) -> Bool {
        guard let real = Workspace.real(path) else { return true }
        if let root = Workspace.root(of: folder) { return !real.hasPrefix(root + "/") }
        // A home folder is no workspace, but a `.env` file next to the collection is meant for it.
        guard let own = Workspace.real(folder.isEmpty ? "." : folder) else { return true }
        return !real.hasPrefix(own + "/.env") || real.dropFirst(own.count + 1).contains("/")
    }

    private static func local(_ fields: [Field]) -> [Field] {
        fields.map { field in
            var field = field
            field.isLocal = true
            return field
        }
    }

    private static func read(_ bytes: [UInt8], file: String, into collection: inout Collection) -> [Problem] {
        let document: JSONDocument
        do throws(JSONSyntaxError) { document = try JSONDocument(checking: Bytes(bytes)) } catch {
            return [Problem(file: file, position: error.position, message: error.reason)]
        }
        let log = ProblemLog(file: file, document: document)
        log.allowsValues = true
        guard let object = ObjectReader(rootOf: log) else { return log.problems }
        collection.overlay.variables = local(object.fields("variables"))
        collection.overlay.secrets = object.named("secrets", of: Secret.self)
        let values = object.array("environments") ?? []
        collection.overlay.environments = values.compactMap { value in
            ObjectReader(value, as: Environment.self, of: "environments", isElement: true).map { object in
                var environment = Environment(reading: object, isPart: true)
                environment.isLocal = true
                environment.additionalHeaders = local(environment.additionalHeaders)
                environment.variables = local(environment.variables)
                return environment
            }
        }
        object.warnOfUnknown(besides: ["$schema", "version", "variables", "secrets", "environments"])
        let own = Set(collection.environments.map(\.name))
        for (value, environment) in zip(values, collection.overlay.environments) where !own.contains(environment.name) {
            if let problem = collection.inheritanceProblem(of: environment) {
                ObjectReader(value)?.error(problem.key, problem.message)
            } else if environment.host.isEmpty, environment.inherits == nil, !environment.isAbstract {
                let hint = Spelling.suggestion(for: environment.name, in: collection.environments.map(\.name))
                log.error(
                    at: value.offset,
                    "the collection has no environment \(JSONValue.quoted(environment.name)), and this one has no host"
                        + hint + (hint.hasSuffix("?") ? " " : ". ")
                        + "Rename it here if it was renamed there, or give it a \"host\" of its own")
            }
        }
        return log.problems
    }
}

extension LoadedCollection {
    /// Problems with the files next to this one that do not prevent its use, such as permissions for others.
    package var problemsBeside: [Problem] {
        guard let collection else { return [] }
        let system = PosixFileSystem()
        let folder = RelativePath.folder(of: path)
        var problems: [Problem] = []
        if let overlay = OverlayFile.path(for: path), let mode = try? system.modeForReplacing(overlay),
            mode & 0o077 != 0
        {
            let digits = String(mode & 0o777, radix: 8)
            problems.append(
                Problem(
                    file: overlay, severity: .warning,
                    message: "others can read this file (mode \(digits)); chmod 600 keeps its secrets private"))
        }
        for environment in collection.environments + collection.overlay.environments {
            guard let named = environment.envFile else { continue }
            let file = RelativePath.resolve(named, folder: folder)
            let isOwn = collection.overlay.environments.contains { $0.envFile == named }
            if !isOwn, OverlayFile.isElsewhere(file, folder), Workspace.real(file) != nil {
                let name = OverlayFile.path(for: path)?.split(separator: "/").last ?? "NAME.local.json"
                problems.append(
                    Problem(
                        file: path, severity: .warning,
                        message:
                            "the environment \(environment.name) reads \(named), which is outside the workspace and is "
                            + "not read; name it in \(name) to use it"))
                continue
            }
            do throws(FileError) { _ = try system.read(file) } catch {
                let message =
                    "the environment \(environment.name) reads \(named), which cannot be read: \(error.reason)"
                problems.append(Problem(file: path, severity: .warning, message: message))
            }
        }
        return problems
    }
}

extension OverlayFile {
    /// Adds secrets to a local file, and makes it private.
    /// - Parameters:
    ///   - secrets: The secrets of every environment.
    ///   - ofEnvironments: The secrets of single environments.
    static func add(
        _ secrets: [(name: String, value: String)],
        ofEnvironments: [(environment: String, name: String, value: String)] = [], to path: String,
        _ fileSystem: some FileSystem
    ) throws(FileError) {
        // First, so that no secret is in a file that git would take.
        try ignore(path, fileSystem)
        try FileReplacement.change(path, newFileMode: 0o600, fileSystem) { known throws(FileError) in
            if known != nil, chmod(path, 0o600) != 0 { throw FileError(operation: "write", path: path, code: errno) }
            return try Self.text(known, with: secrets, ofEnvironments, path)
        }
    }

    private static func text(
        _ known: [UInt8]?, with secrets: [(name: String, value: String)],
        _ ofEnvironments: [(environment: String, name: String, value: String)], _ path: String
    ) throws(FileError) -> [UInt8] {
        var members: [JSONValue.Member] = [.init("version", .number(1))]
        if let known {
            guard let document = try? JSONDocument(checking: Bytes(known)), let root = document.firstRoot,
                case .object(let read) = document.value(of: root)
            else { throw FileError(operation: "change", path: path, code: EINVAL) }
            members = read
        }
        add(secrets, to: &members)
        var names: [String] = []
        for secret in ofEnvironments where !names.contains(secret.environment) { names.append(secret.environment) }
        for name in names {
            add(
                ofEnvironments.filter { $0.environment == name }.map { ($0.name, $0.value) }, ofEnvironment: name,
                to: &members)
        }
        return Array(JSONValue.object(members).text.utf8)
    }

    /// Adds secrets to the members of the file or of an environment in it.
    private static func add(_ secrets: [(name: String, value: String)], to members: inout [JSONValue.Member]) {
        guard !secrets.isEmpty else { return }
        let new = secrets.map { JSONValue.Member($0.name, .object([.init("value", .string($0.value))])) }
        if let index = members.firstIndex(where: { $0.key == "secrets" }), case .object(let old) = members[index].value
        {
            members[index] = .init("secrets", .object(old.filter { one in !new.contains { $0.key == one.key } } + new))
        } else {
            members.append(.init("secrets", .object(new)))
        }
    }

    private static func add(
        _ secrets: [(name: String, value: String)], ofEnvironment name: String, to members: inout [JSONValue.Member]
    ) {
        let place = members.firstIndex { $0.key == "environments" }
        var environments: [JSONValue] = []
        if let place, case .array(let known) = members[place].value { environments = known }
        let index = environments.firstIndex { $0["name"] == .string(name) }
        var own: [JSONValue.Member] = [.init("name", .string(name))]
        if let index, case .object(let known) = environments[index] { own = known }
        add(secrets, to: &own)
        if let index { environments[index] = .object(own) } else { environments.append(.object(own)) }
        if let place {
            members[place] = .init("environments", .array(environments))
        } else {
            members.append(.init("environments", .array(environments)))
        }
    }

    /// Names a file in the `.gitignore` of its folder.
    private static func ignore(_ path: String, _ fileSystem: some FileSystem) throws(FileError) {
        let slash = path.lastIndex(of: "/")
        let pattern = gitPattern(String(slash.map { path[path.index(after: $0)...] } ?? path[...]))
        let list = (slash.map { String(path[...$0]) } ?? "") + ".gitignore"
        try FileReplacement.change(list, fileSystem) { known throws(FileError) in
            let known = known ?? []
            let lines = String(decoding: known, as: UTF8.self).split(whereSeparator: \.isNewline)
            if lines.contains(where: { $0 == pattern || $0 == "/" + pattern || $0 == "*" + suffix }) { return nil }
            return known + (known.isEmpty || known.last == 0x0A ? "" : "\n").utf8 + (pattern + "\n").utf8
        }
    }

    /// The pattern for one name (gitignore(5)). A line cannot contain a control character, so it is replaced with a
    /// wildcard.
    static func gitPattern(_ name: String) -> String {
        let end = name.unicodeScalars.reversed().prefix { $0 == " " }.count
        var pattern = String.UnicodeScalarView()
        for (index, scalar) in name.unicodeScalars.enumerated() {
            let isSpecial =
                switch scalar {
                case "\\", "*", "?", "[": true
                // A comment and an exception begin with these; spaces at the end do not count.
                case "#", "!": index == 0
                case " ": index >= name.unicodeScalars.count - end
                default: false
                }
            if isSpecial { pattern.append("\\") }
            pattern.append(scalar.value < 0x20 || scalar.value == 0x7F ? "?" : scalar)
        }
        return String(pattern)
    }
}
