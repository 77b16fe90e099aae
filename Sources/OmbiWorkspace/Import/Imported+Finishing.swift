extension Imported {
    /// Returns the content as a collection that can be opened, or throws for one that no file can hold.
    func finished() throws(ImportError) -> Imported {
        var result = self
        for variable in globals.reversed()
        where !result.collection.variables.contains(where: { $0.name == variable.name }) {
            result.collection.variables.insert(variable, at: 0)
        }
        result.globals = []
        if !isComplete {
            result.breakCycles()
            var hosts = ImportedHosts(result.collection)
            hosts.apply()
            result.collection = hosts.collection
            result.notes += hosts.notes
        }
        result.addSecrets()
        if !isComplete { result.addFirstValues() }
        result.moveCredentials()
        if !hasSamples { result.maskDescriptions() }
        try result.replaceRepeatedCredentials()
        try result.check()
        return result
    }

    private mutating func addSecrets() {
        for index in collection.environments.indices {
            if let envFile, collection.environments[index].envFile == nil {
                collection.environments[index].envFile = envFile
            }
            for name in prompts where !collection.environments[index].defines(name) {
                collection.environments[index].secrets.append(Secret(name, .prompt("")))
            }
            for secret in processSecrets where !collection.environments[index].defines(secret.name) {
                collection.environments[index].secrets.append(secret)
            }
        }
    }

    /// Masks credentials of a known form in descriptions, which are read and never sent.
    private mutating func maskDescriptions() {
        func masked(_ text: String) -> String {
            var text = text
            // Each takes a search in all of the text.
            for _ in 0..<20 {
                guard let found = SecretForm.find(in: text, named: "description").first else { break }
                // A text on keys has none.
                let isKey = text.contains("-----END ") || found.range.lowerBound != text.startIndex
                guard isKey || !text.contains("-----BEGIN ") else { break }
                text.replaceSubrange(found.range, with: LogMask.mask)
            }
            return text
        }
        collection.description = masked(collection.description)
        collection.items.changeFolders { $0.description = masked($0.description) }
        collection.items.changeRequests { $0.description = masked($0.description) }
    }

    /// Throws for a collection that could not be read again.
    private func check() throws(ImportError) {
        let problems = CollectionFile.read(Array(collection.text.utf8), file: "").problems
        guard let problem = problems.first(where: { $0.severity == .error }) else { return }
        throw ImportLog([]).error(0, "no collection can hold this file: \(problem.message)")
    }
}

/// Finds the host of each environment in the URLs of the requests, which become paths below it.
struct ImportedHosts {
    private(set) var collection: Collection
    private(set) var notes: [ImportNote] = []
    /// The variables whose values are paths.
    private var paths: Set<String> = []
    private var ofFolders: Set<String> = []

    /// The start of a URL.
    private enum Base: Hashable {
        /// `{{baseUrl}}` in front of the path.
        case variable(String)
        /// `https://api.example.com`, which may have templates in it.
        case origin(String)
    }

    init(_ collection: Collection) { self.collection = collection }

    mutating func apply() {
        paths = pathVariables()
        var items = collection.items
        items.changeFolders { ofFolders.formUnion($0.variables.map(\.name)) }
        let bases = collection.requests.compactMap { Self.base(of: $0.path, paths) }
        let counts = Dictionary(bases.map { ($0, 1) }, uniquingKeysWith: +)
        var seen: Set<Base> = []
        let distinct = bases.filter { seen.insert($0).inserted && !isWhole($0) }
        // Of equal ones, the first in the file.
        let sorted = distinct.enumerated().sorted { first, second in
            (counts[second.element] ?? 0, first.offset) < (counts[first.element] ?? 0, second.offset)
        }.map(\.element)
        let known = sorted.first { base in
            if case .variable(let name) = base { hasAddress(name) } else { false }
        }
        switch known ?? sorted.first {
        case .variable(let name)?: apply(variable: name, prefix: "{{\(name)}}")
        case .origin(let origin)?: apply(origin: origin)
        case nil: applyNone()
        }
        for index in collection.environments.indices {
            while collection.environments[index].host.hasSuffix("/") {
                collection.environments[index].host.removeLast()
            }
        }
    }

    /// The variables with values that begin with a slash, and those from responses.
    private func pathVariables() -> Set<String> {
        var known: [String: Bool] = [:]
        for capture in collection.requests.flatMap(\.captures) { known[capture.name] = true }
        let variables = collection.variables + collection.environments.flatMap(\.variables)
        for variable in variables + collection.requests.flatMap(\.variables) where variable.enabled {
            known[variable.name] = variable.value.hasPrefix("/") && known[variable.name] ?? true
        }
        return Set(known.filter(\.value).keys)
    }

    /// The variable that a text begins with, and the end of its template.
    private static func variable(of text: Substring) -> (name: String, end: Substring.Index)? {
        guard text.hasPrefix("{{"), let end = text.firstRange(of: "}}")?.upperBound,
            case .variable(let name)? = (try? Template(String(text[..<end])))?.only?.value
        else { return nil }
        return (name, end)
    }

    /// Returns true for the rest of a URL that is a path, or that begins with a variable that has one.
    private static func isPath(_ rest: Substring, _ paths: Set<String>) -> Bool {
        guard let first = rest.first, first != "/", first != "?" else { return true }
        return variable(of: rest).map { paths.contains($0.name) } ?? false
    }

    private static func base(of path: String, _ paths: Set<String>) -> Base? {
        if let (name, end) = variable(of: path[...]), isPath(path[end...], paths) { return .variable(name) }
        guard let scheme = path.firstRange(of: "://"),
            !path[..<scheme.lowerBound].contains(where: { "/?".contains($0) })
        else { return nil }
        let rest = path[scheme.upperBound...]
        let last = rest.firstIndex { "/?#".contains($0) } ?? path.endIndex
        let templates = rest[..<last].ranges(of: "{{").map(\.lowerBound).filter { $0 > rest.startIndex }
        let end = templates.first { isPath(rest[$0...], paths) } ?? last
        let origin = String(path[..<end])
        guard !origin.contains("@"), isHost(origin) else { return nil }
        return .origin(origin)
    }

    private static func isHost(_ host: String) -> Bool { (try? HostText.check(host)) != nil }

    // MARK: A variable

    private func value(_ name: String, in environment: Environment?) -> String? {
        let own = environment?.variables.last { $0.name == name && $0.enabled }
        let value = (own ?? collection.variables.last { $0.name == name && $0.enabled })?.value ?? ""
        let host = Environment.host(from: value)
        return !host.isEmpty && Self.isHost(host) ? host : nil
    }

    /// Returns true for a variable with a URL and its query, below which there are no paths.
    private func isWhole(_ base: Base) -> Bool {
        guard case .variable(let name) = base else { return false }
        let variables = collection.variables + collection.environments.flatMap(\.variables)
        return variables.contains { $0.name == name && $0.enabled && ForeignText.split($0.value).query != nil }
    }

    private func hasAddress(_ name: String) -> Bool {
        value(name, in: nil) != nil || collection.environments.contains { value(name, in: $0) != nil }
    }

    private mutating func apply(variable name: String, prefix: String) {
        if collection.environments.isEmpty { collection.environments = [Environment(name: "default", host: "")] }
        var isUnset = false
        let isOfFolder = ofFolders.contains(name)
        for index in collection.environments.indices {
            let host = value(name, in: collection.environments[index])
            isUnset = isUnset || host == nil && !isOfFolder
            // A folder may have another one.
            collection.environments[index].host = isOfFolder ? prefix : host ?? prefix
        }
        strip(prefix)
        if isUnset {
            let isKnown =
                collection.variables.contains { $0.name == name }
                || collection.environments.allSatisfy { $0.defines(name) }
            if !isKnown { collection.variables.append(Field(name, "")) }
            notes.append(.loss(prefix, "no host: give the variable \(name) the URL of the server"))
        }
        // The host says the same.
        if !collection.text.contains("{{\(name)") {
            collection.variables.removeAll { $0.name == name }
            for index in collection.environments.indices {
                collection.environments[index].variables.removeAll { $0.name == name }
            }
        }
    }

    // MARK: A server

    private mutating func apply(origin: String) {
        if collection.environments.isEmpty {
            let name = origin.firstRange(of: "://").map { String(origin[$0.upperBound...]) } ?? origin
            let isPlain = !name.contains("{{") && !name.isEmpty
            collection.environments = [Environment(name: isPlain ? name : "default", host: origin)]
        }
        for index in collection.environments.indices { collection.environments[index].host = origin }
        strip(origin)
    }

    private mutating func applyNone() {
        for index in collection.environments.indices {
            let environment = collection.environments[index]
            let host = environment.variables.first {
                $0.enabled && Origin.isAbsolute($0.value) && Self.isHost($0.value)
            }?.value
            if host == nil { notes.append(.loss(environment.name, "no host: set that of the environment")) }
            collection.environments[index].host = host ?? "http://localhost"
        }
        guard collection.environments.isEmpty, !collection.items.isEmpty else { return }
        collection.environments = [Environment(name: "default", host: "http://localhost")]
    }

    private mutating func strip(_ prefix: String) {
        let paths = self.paths
        collection.items.changeRequests { request in
            guard request.path.hasPrefix(prefix) else { return }
            let rest = request.path.dropFirst(prefix.count)
            guard rest.first == "#" || Self.isPath(rest, paths), RequestTarget(String(rest)).problem == nil else {
                return
            }
            request.path = rest.first == "/" || rest.first == "{" ? String(rest) : "/" + rest
        }
    }
}

extension Imported {
    /// Empties variables that refer to themselves, by way of others, too: nothing could fill them in.
    mutating func breakCycles() {
        let shared = Self.cycles(among: collection.variables)
        collection.variables = emptying(shared, in: collection.variables)
        for index in collection.environments.indices {
            let own = Set(collection.environments[index].variables.map(\.name))
            let others = collection.variables.filter { !own.contains($0.name) }
            let names = Self.cycles(among: collection.environments[index].variables + others)
            collection.environments[index].variables = emptying(names, in: collection.environments[index].variables)
        }
    }

    private mutating func emptying(_ names: Set<String>, in variables: [Variable]) -> [Variable] {
        var variables = variables
        for index in variables.indices where names.contains(variables[index].name) {
            variables[index].value = ""
            notes.append(.loss(variables[index].name.excerpted, "left empty: the variable refers to itself"))
        }
        return variables
    }

    /// Defines the variables that only a request captures that needs them itself: it would wait for itself.
    mutating func addFirstValues() {
        let index = CaptureIndex(collection)
        guard !index.requests.isEmpty else { return }
        var names: [String] = []
        collection.forEachRequest { request, folders in
            guard !request.captures.isEmpty else { return }
            let levels = folders.map(\.settings) + [collection.settings]
            var used = VariableUses.names(in: request)
            for var level in levels {
                if request.authentication != nil { level.authentication = nil }
                used.formUnion(VariableUses.names(in: level))
            }
            let defined = (levels.flatMap(\.variables) + request.variables).filter(\.enabled).map(\.name)
            for name in request.captures.filter(\.enabled).map(\.name)
            where used.contains(name) && !defined.contains(name) && !names.contains(name) {
                let isAlone = index.requests[name]?.allSatisfy { $0.id == request.id } ?? false
                if isAlone, !isInAllEnvironments(name) { names.append(name) }
            }
        }
        for name in names {
            collection.variables.append(Field(name, ""))
            notes.append(
                .loss(name.excerpted, "empty at first, as the request that captures it needs it; give it a value"))
        }
    }

    private func isInAllEnvironments(_ name: String) -> Bool {
        !collection.environments.isEmpty && collection.environments.allSatisfy { $0.defines(name) }
    }

    private static func cycles(among variables: [Variable]) -> Set<String> {
        var uses: [String: Set<String>] = [:]
        for variable in variables where variable.enabled && variable.value.contains("{{") {
            uses[variable.name] = Set(TemplateText.names(in: variable.value))
        }
        // A variable that leads nowhere is in no circle, and neither is one that none leads to.
        return Set(reduced(inverted(reduced(uses))).keys)
    }

    /// Leaves out what leads to nothing that is left.
    private static func reduced(_ uses: [String: Set<String>]) -> [String: Set<String>] {
        var users: [String: [String]] = [:]
        var counts: [String: Int] = [:]
        for (name, used) in uses {
            let known = used.filter { uses[$0] != nil }
            counts[name] = known.count
            for other in known { users[other, default: []].append(name) }
        }
        var rest = uses
        var free = counts.filter { $0.value == 0 }.map(\.key)
        while let name = free.popLast() {
            rest[name] = nil
            for user in users[name] ?? [] {
                let count = (counts[user] ?? 0) - 1
                counts[user] = count
                if count == 0 { free.append(user) }
            }
        }
        return rest
    }

    private static func inverted(_ uses: [String: Set<String>]) -> [String: Set<String>] {
        var users = uses.mapValues { _ in Set<String>() }
        for (name, used) in uses {
            for other in used where uses[other] != nil { users[other]?.insert(name) }
        }
        return users
    }
}
