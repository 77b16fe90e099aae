import OmbiDocument

/// Finds the credentials that stand in a collection file as they are, and takes them out.
public struct PlainSecrets {
    /// In the order of the file.
    public private(set) var found: [PlainSecret] = []
    private let document: JSONDocument
    private var locator: TextLocator
    let file: String
    private var names: Set<String>

    /// Members that hold no credentials to send, or only names of some.
    private static let others: Set<String> = [
        "$schema", "description", "request", "folder", "secrets", "expect", "capture", "inherits", "envFile",
    ]

    public init?(_ content: Bytes, file: String, collection: Collection) {
        guard let document = try? JSONDocument(checking: content), let root = document.firstRoot else {
            return nil
        }
        self.document = document
        locator = TextLocator(content)
        self.file = file
        let environments = collection.allEnvironments.map(collection.effective)
        names = Set(environments.flatMap { $0.variables.map(\.name) + $0.secrets.map(\.name) })
        names.formUnion(collection.allVariables.map(\.name))
        names.formUnion(CaptureIndex(collection).requests.keys)
        visit(root, name: "")
    }

    /// The warnings for `ombi check`.
    public var problems: [Problem] {
        let local =
            OverlayFile.path(for: file).map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? "a local file"
        return found.map { secret in
            Problem(
                file: file, position: secret.position, severity: .warning,
                message:
                    "this looks like \(secret.kind) in clear; write {{\(secret.name)}}, and its value into \(local) "
                    + "or another source of secrets (ombi check --fix offers to)")
        }
    }

    private mutating func visit(_ node: JSONNode, name: String) {
        switch document.kind(of: node) {
        case .object:
            let members = document.members(of: node)
            let own = members["name"].flatMap { document.text(of: $0.value)?.string }
            for member in members.all {
                let key = member.key
                if key == "name" || Self.others.contains(key) { continue }
                visit(member.value, name: key == "value" ? Self.name(own, in: name) : key)
            }
        case .array: for child in document.children(of: node) { visit(child, name: name) }
        case .string: check(node, name: name)
        case .null, .true, .false, .number: break
        }
    }

    /// The name of a value: that beside it in its row; but an API key is secret under any name.
    private static func name(_ own: String?, in list: String) -> String {
        guard let own else { return list }
        return SecretDetector.isSensitive(list) && !SecretDetector.isSensitive(own) ? list : own
    }

    private mutating func check(_ node: JSONNode, name: String) {
        let place = document.range(of: node)
        guard place.count >= SecretDetector.minimumLength, let text = document.text(of: node)?.string,
            let (kind, range) = SecretDetector.find(in: text, named: name)
        else { return }
        found.append(
            PlainSecret(
                kind: kind, name: variable(for: name), position: locator.position(of: place.lowerBound),
                place: name, range: place,
                before: String(text[..<range.lowerBound]), after: String(text[range.upperBound...]),
                value: String(text[range])))
    }

    /// A name that nothing has so far.
    private mutating func variable(for name: String) -> String {
        let letters = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        let isHeader = letters.isEmpty || ["authorization", "bearer", "value", "path"].contains(letters.lowercased())
        let base = isHeader || letters.first?.isNumber ?? true ? "token" : letters
        var unique = base
        var number = 2
        while !names.insert(unique).inserted {
            unique = "\(base)\(number)"
            number += 1
        }
        return unique
    }

    // MARK: Moving

    /// Moves secrets into the local file beside the collection, which is then readable by its owner only and not for git, and
    /// leaves templates in their places.
    public func move(
        _ secrets: [PlainSecret], expecting fingerprint: Fingerprint, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(SaveError) {
        guard !secrets.isEmpty, let local = OverlayFile.path(for: file) else { return }
        do throws(FileError) {
            guard Fingerprint(try fileSystem.content(file)) == fingerprint else {
                throw FileError(operation: "write", path: file, code: 0)
            }
            try OverlayFile.add(secrets.map { ($0.name, $0.value) }, to: local, fileSystem)
            var content: [UInt8]? = text(without: secrets)
            try FileReplacement.save(to: file, fileSystem: fileSystem) { () throws(FileError) in content.take() }
        } catch {
            throw error.code == 0 ? .changedOnDisk(file) : .failed(error)
        }
    }

    func text(without secrets: [PlainSecret]) -> [UInt8] {
        var text: [UInt8] = []
        var end = 0
        for secret in secrets.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            text += document.bytes(in: end..<secret.range.lowerBound)
            text += Array(JSONValue.string(secret.before + "{{\(secret.name)}}" + secret.after).compact.utf8)
            end = secret.range.upperBound
        }
        return text + document.bytes(in: end..<document.bytes.count)
    }
}

extension LoadedCollection {
    /// The secrets that stand in the file; nil for one that cannot be read.
    public var plainSecrets: PlainSecrets? {
        guard let content = fingerprint.content, let collection else { return nil }
        return PlainSecrets(content, file: path, collection: collection)
    }
}
