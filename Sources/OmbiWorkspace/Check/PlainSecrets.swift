/// A credential that stands in a file as it is, where a template could stand.
package struct PlainSecret: Equatable, Sendable {
    /// "a GitHub token", for messages.
    package var kind: String
    /// The name of a variable for it.
    package var name: String
    package var position: TextPosition
    /// The name of the text's member, or of its row: `Authorization`.
    package var place: String
    /// The string of the file with its quotes.
    var range: Range<Int>
    /// The text of the string; never shown.
    var text: String
    var part: Range<String.Index>
    /// The secret as a template fills it in; never shown.
    var value: String

    /// The secret of the local file that takes its place.
    package var moved: Secret { Secret(name, .value(value)) }
}

extension PlainSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { kind }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Finds the credentials that stand in a collection file as they are, and takes them out.
package struct PlainSecrets {
    /// In the order of the file.
    package private(set) var found: [PlainSecret] = []
    private let document: JSONDocument
    private var locator: TextLocator
    let file: String
    private let hasSamples: Bool
    /// True in the requests of a collection with samples.
    private var isSample = false
    private var names: UniqueNames
    /// The names of the secrets so far: a value that stands in two places is one secret.
    private var namesOfValues: [String: String] = [:]
    /// The names that are those of credentials, and the others.
    private var sensitivities: [String: Bool] = [:]

    /// The escapes that the values of templates get in a text.
    enum Escapes { case none, url, query }

    // Compared, not looked up: a collection has a hundred thousand keys, and few are as long as these.

    /// True for a member below those of a level that is for readers, or names a credential.
    private static func isForReaders(_ key: String) -> Bool {
        key == "description" || key == "accessKeyID" || key == "secretIn"
    }

    /// The place of a member below which names are those of the sender's own data; nil for any other member.
    private static func body(_ key: String) -> SecretDetector.Place? {
        key == "body" || key == "fallbackResponse" || key == "messages" ? .body : nil
    }

    /// The escapes of a member of a level, of which those with URLs, or parts of them, escape the values of templates.
    private static func escapes(_ key: String) -> Escapes { key == "path" || key == "host" ? .url : .none }

    package init?(_ content: Bytes, file: String, collection: Collection) {
        self.init(content, file: file, collection: collection, hasSamples: false)
    }

    /// - Parameter hasSamples: true for requests with samples, in which a name alone makes no credential of a value.
    init?(_ content: Bytes, file: String, collection: Collection, hasSamples: Bool) {
        guard let document = try? JSONDocument(checking: content) else { return nil }
        self.init(document, file: file, collection: collection, hasSamples: hasSamples)
    }

    fileprivate init?(_ document: JSONDocument, file: String, collection: Collection, hasSamples: Bool = false) {
        guard let root = document.firstRoot else { return nil }
        self.document = document
        locator = TextLocator(document.bytes)
        self.file = file
        self.hasSamples = hasSamples
        let environments = collection.allEnvironments.map(collection.effective)
        var taken = Set(environments.flatMap { $0.variables.map(\.name) + $0.secrets.map(\.name) })
        taken.formUnion(collection.allVariables.map(\.name))
        taken.formUnion(CaptureIndex(collection).requests.keys)
        // No variable can name itself.
        collection.forEachRequest { request, folders in
            taken.formUnion(request.variables.map(\.name))
            for folder in folders { taken.formUnion(folder.settings.variables.map(\.name)) }
        }
        names = UniqueNames(taken)
        visit(level: root)
    }

    /// The warnings for `ombi check`.
    package var problems: [Problem] { problems(since: nil) }

    /// The warnings of secrets that the collection had not in an earlier state.
    package func problems(since saved: Collection?) -> [Problem] {
        let found = Self.new(found, since: saved, file: file)
        let local = Self.localFile(of: file) ?? "a local file"
        return found.map { secret in
            Problem(
                file: file, position: secret.position, severity: .warning,
                message:
                    "this looks like \(secret.kind) in plain text; write {{\(secret.name)}}, and its value into "
                    + "\(local) or another source of secrets (ombi check --fix offers to)")
        }
    }

    /// Looks through a collection, a folder, an environment or a request.
    private mutating func visit(level node: JSONNode) {
        let wasSample = isSample
        defer { isSample = wasSample }
        for member in document.members(of: node).all {
            let key = member.key
            isSample = wasSample || hasSamples && key == "items"
            switch MemberContent.of(key) {
            case .levels: for child in document.children(of: member.value) { visit(level: child) }
            case .unsent, .expectations: break
            case .plain, .templates, .rows, .headers, .values, .variables, .body, .authentication:
                visit(member.value, name: key, Self.body(key) ?? .field, Self.escapes(key))
            }
        }
    }

    private mutating func visit(
        _ node: JSONNode, name: String, _ place: SecretDetector.Place, _ escapes: Escapes = .none
    ) {
        switch document.kind(of: node) {
        case .object:
            let members = document.members(of: node)
            let own = members["name"].flatMap { document.text(of: $0.value)?.string }
            let isRow = name == "query" && place == .field
            let isRaw = isRow && members["raw"].map { document.kind(of: $0.value) } == .true
            for member in members.all {
                let key = member.key
                if Self.isLabel(key, in: name, place, ofRow: own != nil) { continue }
                // A variable has its name in front of its value and its description.
                if key == "value", name == "cookies", place == .field, let own {
                    check(cookie: member.value, name: own)
                } else if key == "value", own != nil || place == .field || name == "apiKey" {
                    visit(member.value, name: self.name(own, in: name), .field, isRaw ? .query : .none)
                } else {
                    visit(member.value, name: key, Self.body(key) ?? place)
                }
            }
        case .array: for child in document.children(of: node) { visit(child, name: name, place) }
        case .string: check(node, name: name, place, escapes)
        case .null, .true, .false, .number: break
        }
    }

    /// True for a member that holds no credential to send. Names in a body and of variables are the user's own.
    private static func isLabel(_ key: String, in name: String, _ place: SecretDetector.Place, ofRow: Bool) -> Bool {
        if key == "name" || ofRow && key == "description" { return true }
        guard place != .body, isForReaders(key) || key == "key" && name == "clientCertificate" else { return false }
        return !MemberContent.of(name).hasMembers
    }

    /// The name of a value: that beside it in its row; but an API key is secret under any name.
    private mutating func name(_ own: String?, in list: String) -> String {
        guard let own else { return list }
        // "key" alone may be the name of a column.
        return isSensitive(list) && (!isSensitive(own) || own.lowercased() == "key") ? list : own
    }

    /// Names recur in a collection.
    private mutating func isSensitive(_ name: String) -> Bool {
        if let known = sensitivities[name] { return known }
        let isSensitive = SecretDetector.isSensitive(name)
        sensitivities[name] = isSensitive
        return isSensitive
    }

    private mutating func check(
        _ node: JSONNode, name: String, _ place: SecretDetector.Place, _ escapes: Escapes
    ) {
        guard let text = document.text(of: node)?.string else { return }
        let findings = SecretDetector.find(in: text, named: name, place, isSensitive: isSensitive(name))
        add(findings, in: text, of: node, name: name, escapes)
    }

    /// Any cookie may be that of a session.
    private mutating func check(cookie node: JSONNode, name: String) {
        guard let text = document.text(of: node)?.string, !text.isEmpty, !text.contains("{{") else { return }
        let whole = text.startIndex..<text.endIndex
        add([SecretDetector.Finding(kind: "a cookie", name: name, range: whole)], in: text, of: node, name: name)
    }

    private mutating func add(
        _ findings: [SecretDetector.Finding], in text: String, of node: JSONNode, name: String,
        _ escapes: Escapes = .none
    ) {
        let range = document.range(of: node)
        for finding in findings {
            let written = text[finding.range]
            if SecretDetector.isPlaceholder(written) || isSample && !Disorder.isSecret(written) { continue }
            let value = Self.value(finding.range, of: text, escapes)
            found.append(
                PlainSecret(
                    kind: finding.kind, name: variable(for: finding.name, value),
                    position: locator.position(of: range.lowerBound), place: name, range: range, text: text,
                    part: finding.range, value: value))
        }
    }

    /// Returns a part of a text without the escapes that it gets again as the value of a template. Escapes of bytes other
    /// than text stay: no value can be sent as these, but the secret must not stay in the file unseen.
    static func value(_ part: Range<String.Index>, of text: String, _ escapes: Escapes) -> String {
        let written = String(text[part])
        let (before, after) = (text[..<part.lowerBound].utf8, text[part.upperBound...].utf8)
        let isInQuery = escapes == .query || escapes == .url && before.contains(UInt8(ascii: "?"))
        // The values in a path keep their escapes.
        guard isInQuery || escapes == .url && after.first == UInt8(ascii: "@") else { return written }
        let value = isInQuery ? PercentEncoding.unescapeForm(written) : PercentEncoding.unescape(written)
        return value.unicodeScalars.contains("\u{FFFD}") ? written : value
    }

    /// A name that nothing has so far; that of the same secret elsewhere.
    private mutating func variable(for name: String, _ value: String) -> String {
        if let known = namesOfValues[value] { return known }
        let letters = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        let isHeader = letters.isEmpty || ["authorization", "bearer", "value", "path"].contains(letters.lowercased())
        let base = isHeader || letters.first?.isNumber ?? true ? "token" : letters
        let unique = names.take(base)
        namesOfValues[value] = unique
        return unique
    }

    // MARK: Moving

    /// Moves secrets into the local file beside the collection, which is then readable by its owner only and not for git, and
    /// leaves templates in their places.
    package func move(
        _ secrets: [PlainSecret], expecting fingerprint: Fingerprint, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(SaveError) {
        guard !secrets.isEmpty, let local = OverlayFile.path(for: file) else { return }
        do throws(FileError) {
            guard Fingerprint(try fileSystem.content(file)) == fingerprint else {
                throw FileError(operation: "write", path: file, code: 0)
            }
            try OverlayFile.add(Self.values(of: secrets), to: local, fileSystem)
            var content: [UInt8]? = text(without: secrets)
            try FileReplacement.save(to: file, fileSystem: fileSystem) { () throws(FileError) in content.take() }
        } catch {
            throw error.code == 0 ? .changedOnDisk(file) : .failed(error)
        }
    }

    func text(without secrets: [PlainSecret]) -> [UInt8] {
        var text: [UInt8] = []
        var end = 0
        for (range, parts) in Dictionary(grouping: secrets, by: \.range).sorted(by: {
            $0.key.lowerBound < $1.key.lowerBound
        }) {
            text += document.bytes(in: end..<range.lowerBound)
            text += Array(JSONValue.string(Self.template(for: parts)).compact.utf8)
            end = range.upperBound
        }
        return text + document.bytes(in: end..<document.bytes.count)
    }

    /// The text of a string with templates in the places of its secrets.
    private static func template(for parts: [PlainSecret]) -> String {
        guard let text = parts.first?.text else { return "" }
        var template = ""
        var end = text.startIndex
        for secret in parts.sorted(by: { $0.part.lowerBound < $1.part.lowerBound })
        where secret.part.lowerBound >= end {
            template += text[end..<secret.part.lowerBound]
            template += "{{\(secret.name)}}"
            end = secret.part.upperBound
        }
        template += text[end...]
        return template
    }
}

extension LoadedCollection {
    /// The secrets that stand in the file; nil for one that cannot be read.
    package var plainSecrets: PlainSecrets? {
        guard let collection, let document = indexed else { return nil }
        return PlainSecrets(document, file: path, collection: collection)
    }
}

extension PlainSecrets {
    /// Finds the secrets in a collection as it is edited, which its file may not have yet.
    package init?(of collection: Collection, file: String) {
        self.init(Bytes(collection.text.utf8), file: file, collection: collection)
    }

    /// Returns the secrets in a collection that it had not in an earlier state.
    package static func new(in collection: Collection, since saved: Collection?, file: String) -> [PlainSecret] {
        new(PlainSecrets(of: collection, file: file)?.found ?? [], since: saved, file: file)
    }

    static func new(_ found: [PlainSecret], since saved: Collection?, file: String) -> [PlainSecret] {
        guard !found.isEmpty, let saved else { return found }
        let known = Set(PlainSecrets(of: saved, file: file)?.found.map(\.value) ?? [])
        return found.filter { !known.contains($0.value) }
    }

    /// Returns the collection with templates in the places of secrets that were found in it; nil where that makes none.
    package func collection(without secrets: [PlainSecret], of collection: Collection) -> Collection? {
        let wanted = Dictionary(grouping: secrets, by: \.range)
        let known = found.filter { wanted[$0.range]?.contains($0) ?? false }
        return CollectionFile.read(text(without: known), file: file).collection?.withIdentities(of: collection)
    }

    /// The name of the local file that secrets are moved into; nil for a file that has none.
    package static func localFile(of file: String) -> String? {
        OverlayFile.path(for: file).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    }

    /// Writes secrets into the local file beside a collection, for each of its environments.
    package static func keep(
        _ secrets: [PlainSecret], beside file: String, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(FileError) {
        guard let local = OverlayFile.path(for: file) else { return }
        try OverlayFile.add(values(of: secrets), to: local, fileSystem)
    }

    /// The members of the local file, each once.
    static func values(of secrets: [PlainSecret]) -> [(name: String, value: String)] {
        var names = Set<String>()
        return secrets.filter { names.insert($0.name).inserted }.map { ($0.name, $0.value) }
    }
}
