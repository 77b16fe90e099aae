/// Reads `http-client.env.json` and `http-client.private.env.json`, environments of `.http` files, and those in the
/// settings of VS Code. All values of a private file are secrets.
enum HTTPEnvironments {
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard isNamed(file.path), let root = Self.root(of: file), root.kind == .object else {
            return settings(in: file) != nil
        }
        return root.members.allSatisfy { $0.value.kind == .object || $0.key.hasPrefix("$") }
    }

    /// The value of JSON, which may have comments and commas at ends, as editors take it; nil for another text.
    /// - Parameter base: the offset of the file in the log.
    fileprivate static func root(of file: ForeignFile, from base: Int = 0) -> ForeignValue? {
        if let root = file.root(from: base) { return root }
        let start = file.bytes.first { $0 > 0x20 }
        let isLikely = start == UInt8(ascii: "{") || start == UInt8(ascii: "/")
        guard isLikely, file.bytes.count <= maximumSettings else { return nil }
        let plain = ForeignBody.withoutTrailingCommas(ForeignBody.withoutComments(file.text))
        return (try? ForeignFile(Array(plain.utf8), path: file.path))?.root(from: base)
    }

    /// The environments in a file of settings; nil for another file.
    private static func settings(in file: ForeignFile) -> ForeignValue? {
        guard [".json", ".code-workspace"].contains(where: { file.path.hasSuffix($0) }),
            file.bytes.count <= maximumSettings, file.bytes.firstRange(of: setting.utf8) != nil
        else { return nil }
        let root = Self.root(of: file)
        let value = root?[setting] ?? root?["settings"]?[setting]
        return value?.kind == .object ? value : nil
    }

    /// The object that has the settings of the extension of VS Code; nil for another file.
    /// - Parameter base: the offset of the file in the log.
    fileprivate static func client(in file: ForeignFile, from base: Int = 0) -> ForeignValue? {
        guard file.bytes.count <= maximumSettings, file.bytes.firstRange(of: prefix.utf8) != nil,
            let root = Self.root(of: file, from: base)
        else { return nil }
        return [root, root["settings"] ?? root].first { object in
            object.members.contains { $0.key.hasPrefix(prefix) }
        }
    }

    private static let prefix = "rest-client."
    fileprivate static let setting = "rest-client.environmentVariables"
    /// In bytes.
    private static let maximumSettings = 1 << 20

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = settings(in: file) ?? Self.root(of: file), root.kind == .object else { throw file.unknown }
        // The reader of requests has the templates.
        var reader = HTTPFileReader(log: ImportLog(file.bytes))
        var environments = HTTPEnvironmentList()
        environments.take(root, isPrivate: isPrivate(file.path), &reader)
        if let client = Self.client(in: file) { environments.takeDefaults(client, &reader) }
        for configuration in reader.configurations {
            reader.log.remark(
                configuration.offset, configuration.id.excerpted,
                "the authentication of requests in .http files next to this one")
        }
        var imported = Imported(
            Collection(name: "imported"), processSecrets: reader.processSecrets,
            secretNames: environments.secretNames)
        imported.completesEnvironments = true
        imported.collection.environments = environments.all
        imported.globals = reader.variables
        return imported.noted(reader.log)
    }

    /// Reads the files of environments in the folder of a file of requests, or in the nearest one around it that has any.
    static func read(nextTo file: ForeignFile, _ reader: inout HTTPFileReader) -> HTTPEnvironmentList {
        var environments = HTTPEnvironmentList()
        var place = file.folder
        while let folder = place {
            environments.read(in: folder, &reader)
            place = file.isAlone && environments.paths.isEmpty ? folder.parent : nil
        }
        return environments
    }

    fileprivate static let folderOfSettings = ".vscode"

    /// The settings of VS Code in a folder that have environments, or headers for all requests.
    static func settings(in folder: ImportFolder) -> ImportFolder.File? {
        let path = folderOfSettings + "/settings.json"
        guard folder.names(in: folderOfSettings).contains("settings.json"), let bytes = try? folder.content(path),
            let file = try? ForeignFile(bytes, path: path), recognizes(file)
        else { return nil }
        return ImportFolder.File(path: path, bytes: bytes)
    }

    static func isPrivate(_ path: String) -> Bool { path.contains(".private.") || path.hasSuffix(".user") }

    static func isNamed(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix("http-client.") && (name.hasSuffix(".env.json") || name.hasSuffix(".env.json.user"))
    }
}

/// The environments of one or more files, of which the later ones win.
struct HTTPEnvironmentList {
    /// Those with a name, in the order of the files.
    private var named: [Environment] = []
    /// The values of all environments.
    private var shared = Environment(name: "", host: "")
    /// The names of variables of private files.
    var secretNames: Set<String> = []
    /// The paths of the files that were read next to a file of requests.
    private(set) var paths: [String] = []
    /// The contents of these files.
    private(set) var contents: [[UInt8]] = []

    private static let commonNames: Set<String> = ["$shared", "$default", "$kulalaShared"]
    private static let headerNames: Set<String> = ["$default_headers", "$kulalaDefaultHeaders"]

    /// The environments, each with the values of all that it does not have itself.
    var all: [Environment] {
        guard !named.isEmpty else {
            var environment = shared
            environment.name = "default"
            return shared == Environment(name: "", host: "") ? [] : [environment]
        }
        return named.map { environment in
            var environment = environment
            let own = Set(environment.variables.map(\.name) + environment.secrets.map(\.name))
            environment.variables += shared.variables.filter { !own.contains($0.name) }
            environment.secrets += shared.secrets.filter { !own.contains($0.name) }
            let headers = Set(environment.additionalHeaders.map { $0.name.lowercased() })
            environment.additionalHeaders += shared.additionalHeaders.filter {
                !headers.contains($0.name.lowercased())
            }
            return environment
        }
    }

    // MARK: Reading

    fileprivate mutating func read(in folder: ImportFolder, _ reader: inout HTTPFileReader) {
        let names = folder.names().filter(HTTPEnvironments.isNamed)
        let settings = HTTPEnvironments.folderOfSettings
        if folder.names(in: settings).contains("settings.json") {
            readSettings(settings + "/settings.json", in: folder, &reader)
        }
        // The values of private files win.
        for name in names.filter({ !HTTPEnvironments.isPrivate($0) }) + names.filter(HTTPEnvironments.isPrivate) {
            read(name, in: folder, &reader)
        }
    }

    /// Reads a file of the folder. One that cannot be read is a loss.
    mutating func read(_ name: String, in folder: ImportFolder, _ reader: inout HTTPFileReader) {
        let path = folder.full(name)
        paths.append(path)
        do throws(ImportError) {
            let content = try folder.content(name, after: reader.log.content.count)
            let file = try? ForeignFile(content, path: name)
            let start = reader.log.add(file?.bytes ?? [], named: path)
            guard let root = file.flatMap({ HTTPEnvironments.root(of: $0, from: start) }), root.kind == .object else {
                let problem = file?.syntaxProblem ?? (offset: 0, reason: "it is no object")
                return reader.log.loss(start + problem.offset, name.excerpted, "left out: \(problem.reason)")
            }
            contents.append(file?.bytes ?? [])
            take(root, isPrivate: HTTPEnvironments.isPrivate(name), &reader)
        } catch {
            let start = reader.log.add([], named: path)
            reader.log.loss(start, name.excerpted, "left out: \(error.message)")
        }
    }

    /// Reads the environments in the settings of VS Code, which need not have any.
    mutating func readSettings(_ name: String, in folder: ImportFolder, _ reader: inout HTTPFileReader) {
        guard let content = try? folder.content(name, after: reader.log.content.count),
            let file = try? ForeignFile(content, path: name), HTTPEnvironments.client(in: file) != nil
        else { return }
        let path = folder.full(name)
        let start = reader.log.add(file.bytes, named: path)
        guard let client = HTTPEnvironments.client(in: file, from: start) else { return }
        paths.append(path)
        contents.append(file.bytes)
        if let root = client[HTTPEnvironments.setting] { take(root, isPrivate: false, &reader) }
        takeDefaults(client, &reader)
    }

    /// Takes the headers of all requests, and notes the settings that Ombi has in another place.
    fileprivate mutating func takeDefaults(_ client: ForeignValue, _ reader: inout HTTPFileReader) {
        if let headers = client["rest-client.defaultHeaders"] {
            var environment = Environment(name: "", host: "")
            Self.addHeaders(headers, to: &environment, &reader)
            // Those of the extension itself.
            let own = ["user-agent", "accept-encoding"]
            environment.additionalHeaders.removeAll { own.contains($0.name.lowercased()) }
            shared.complete(with: environment)
        }
        if let follows = client["rest-client.followredirect"], follows.bool == false {
            reader.log.loss(
                follows.offset, "rest-client.followredirect",
                "redirects are followed; \"maximumRedirects\": 0 in Connection stops that")
        }
        if let limit = client["rest-client.timeoutinmilliseconds"], Int(limit.text) ?? 0 > 0 {
            reader.log.loss(
                limit.offset, "rest-client.timeoutinmilliseconds", "no limit; write it as the timeout of the policy")
        }
        if let certificates = client["rest-client.certificates"], !certificates.members.isEmpty {
            reader.log.loss(
                certificates.offset, "rest-client.certificates", "left out: name the client certificate in Connection")
        }
    }

    /// Takes the environments of a file.
    mutating func take(_ root: ForeignValue, isPrivate: Bool, _ reader: inout HTTPFileReader) {
        let names = { (isShared: Bool) in
            Set(
                root.members.filter { Self.commonNames.contains($0.key) == isShared }.flatMap {
                    $0.value.members.map(\.key)
                })
        }
        reader.overridden.formUnion(names(true).intersection(names(false)))
        for (name, value) in root.members where value.kind == .object {
            let isShared = Self.commonNames.contains(name)
            var environment = Environment(name: isShared ? "" : ForeignText.name(name, or: "default"), host: "")
            Self.add(value, to: &environment, isPrivate, &reader)
            if isShared {
                environment.variables += environment.variables.filter { reader.overridden.contains($0.name) }.map {
                    Field("shared_" + $0.name, $0.value)
                }
            }
            if isPrivate { secretNames.formUnion(environment.variables.map(\.name)) }
            if isShared {
                shared.complete(with: environment)
            } else if let index = named.firstIndex(where: { $0.name == environment.name }) {
                named[index].complete(with: environment)
            } else {
                named.append(environment)
            }
        }
    }

    /// Gives a variable to an environment; to all without a name.
    mutating func set(_ variable: Variable, in environment: String) {
        if let index = named.firstIndex(where: { $0.name == environment }) {
            named[index].variables.append(variable)
        } else {
            shared.variables.append(variable)
        }
    }

    /// Returns true for the name of a variable that no environment has.
    func isFree(_ name: String) -> Bool { !shared.defines(name) && !named.contains { $0.defines(name) } }

    /// Adds the values of an object, those in it by their whole names.
    private static func add(
        _ object: ForeignValue, to environment: inout Environment, _ isPrivate: Bool, _ reader: inout HTTPFileReader,
        prefix: String = "", depth: Int = 0
    ) {
        for (key, value) in object.members {
            let name = prefix + key
            if prefix.isEmpty, headerNames.contains(key) {
                addHeaders(value, to: &environment, &reader)
            } else if prefix.isEmpty, key == "Security" {
                reader.addConfigurations(value, of: environment.name)
            } else if prefix.isEmpty, key == "SSLConfiguration" {
                setTLS(value, of: &environment, &reader)
            } else if value.kind == .object, let provider = value["provider"]?.string {
                let secret = reader.log.variableName(name, at: value.offset)
                environment.secrets.append(Secret(secret, .prompt("")))
                reader.log.loss(value.offset, provider.excerpted, "this source of a secret is not read; it is typed in")
            } else if value.kind == .object, depth < maximumDepth {
                add(value, to: &environment, isPrivate, &reader, prefix: name + ".", depth: depth + 1)
            } else {
                let variable = reader.log.variableName(name, at: value.offset)
                let text = reader.template(value.text, at: value.offset)
                if isPrivate, text.isEmpty {
                    environment.secrets.append(Secret(variable, .prompt("")))
                } else if text != "{{\(variable)}}" {
                    environment.variables.append(Field(variable, text))
                }
            }
        }
    }

    /// Takes the client certificate of an environment.
    private static func setTLS(
        _ value: ForeignValue, of environment: inout Environment, _ reader: inout HTTPFileReader
    ) {
        if value["verifyHostCertificate"]?.bool == false {
            reader.log.loss(
                value.offset, "verifyHostCertificate",
                "certificates are checked; \"verifyTLS\": false of the environment stops that")
        }
        let path = { (key: String) in value[key]?.string ?? value[key]?["path"]?.string ?? "" }
        let (file, key) = (path("clientCertificate"), path("clientCertificateKey"))
        guard !file.isEmpty else { return }
        var certificate = SavedCertificate(file: reader.template(file, at: value.offset))
        if !certificate.isPKCS12, !key.isEmpty { certificate.key = reader.template(key, at: value.offset) }
        if value["hasCertificatePassphrase"]?.bool == true {
            environment.secrets.append(Secret("certificatePassword", .prompt("")))
            certificate.password = "{{certificatePassword}}"
        }
        environment.connection = SavedConnection { $0.clientCertificate = certificate }
        reader.log.notePath(at: value.offset)
    }

    /// Bounds the stack.
    private static let maximumDepth = 20

    private static func addHeaders(
        _ value: ForeignValue, to environment: inout Environment, _ reader: inout HTTPFileReader
    ) {
        for (name, header) in value.members where name.lowercased() != "host" {
            guard reader.log.isHeader(name, at: header.offset) else { continue }
            environment.additionalHeaders.append(Field(name, reader.template(header.text, at: header.offset)))
        }
    }
}
