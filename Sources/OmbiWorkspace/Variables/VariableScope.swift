/// The values of names in one run, by precedence: overrides, the row of data, captured values, the variables of the
/// request and of its folders, the nearest first, the secrets and variables of the environment, the variables of the
/// collection.
struct VariableScope {
    private var texts: [String: Definition] = [:]
    private var secrets: [String: Secret] = [:]
    let reader: SecretReader
    private let generators: Generators
    /// The names that hold over secrets of the environment.
    private var overridden: Set<String> = []
    /// Win over all variables but the overrides.
    var captured = CapturedScope()
    /// True if a name without a value stays in template form.
    var keepsUnknownNames = false
    var files = TemplateFiles.sample("")
    /// Secrets are read when first needed, and once.
    private var secretValues: [String: (String, Source)] = [:]
    private var substitutions = 0
    /// The bytes that functions have read for one text.
    private var processedBytes = 0
    /// The secret texts that were filled in.
    private(set) var revealed: Set<String> = []
    /// The variables that were filled in, unmasked.
    private(set) var used: [String: UsedVariable] = [:]
    /// The sources of all that was filled in since they were taken last.
    var sources: Set<Source> = []
    /// The programs that a value came from, whether anything with it is sent or not.
    private(set) var programs: Set<Source> = []
    private var secretLevels: [String: Provenance] = [:]
    /// True while all that was filled in is the same the next time, if the secrets are.
    private(set) var isRepeatable = true

    private struct Definition {
        var text: String
        var level: Provenance
        /// True for one of `NAME.local.json`.
        var isLocal: Bool
    }

    /// - Parameters:
    ///   - name: The name of the environment.
    ///   - inherited: The environments that it inherits from, the nearest first.
    ///   - folders: The outermost first.
    ///   - own: The variables of the request.
    init(
        collection: [Variable], environment: [Variable], name: String = "", secrets: [Secret],
        inherited: [Environment] = [], folders: [(variables: [Variable], source: Provenance)] = [],
        own: [Variable] = [], row: DataRow? = nil, overrides: [Variable], reader: SecretReader, generators: Generators
    ) {
        self.reader = reader
        self.generators = generators
        define(collection, .collection)
        for layer in inherited.reversed() { define(layer.variables, .environment(layer.name), layer.secrets) }
        define(environment, .environment(name), secrets)
        for folder in folders { define(folder.variables, folder.source) }
        define(own, .request)
        if let row { define(row.variables, .row(row.number)) }
        define(overrides, .commandLine)
    }

    /// Lays the names of a level over those so far: later ones replace earlier ones, and secrets the variables of their own
    /// level.
    private mutating func define(_ variables: [Variable], _ level: Provenance, _ own: [Secret] = []) {
        for variable in variables where variable.enabled {
            texts[variable.name] = Definition(text: variable.value, level: level, isLocal: variable.isLocal)
            overridden.insert(variable.name)
        }
        for secret in own {
            secrets[secret.name] = secret
            secretLevels[secret.name] = level
            overridden.remove(secret.name)
        }
    }

    // Variables that refer to each other several times grow exponentially.
    static let maximumSubstitutions = 10_000
    static let maximumByteCount = 16 << 20
    static let maximumProcessedBytes = 256 << 20
    /// Bounds the stack.
    static let maximumDepth = 100

    var knownNames: [String] { Set(texts.keys).union(secrets.keys).union(captured.requests.keys).sorted() }

    /// Returns the sources of the values filled in since the last call.
    mutating func takeSources() -> Set<Source> {
        if sources.isEmpty { return sources }
        defer { sources = [] }
        return sources
    }

    /// Returns the text with every name replaced by its value.
    /// - Parameters:
    ///   - plain: applied to the text between the names.
    ///   - value: applied to each value that takes the place of a name.
    mutating func fill(
        _ text: String, plain: (String) -> String = { $0 }, value: (String) -> String = { $0 }
    ) throws(TemplateError) -> String {
        (substitutions, processedBytes) = (0, 0)
        return try fill(text, within: [], plain: plain, value: value)
    }

    private mutating func fill(
        _ text: String, within names: [String], plain: (String) -> String = { $0 },
        value transform: (String) -> String = { $0 }
    ) throws(TemplateError) -> String {
        // Most texts hold no template.
        guard text.utf8.contains(UInt8(ascii: "{")) else { return plain(text) }
        var filled = ""
        for part in try Template(text).parts {
            switch part {
            case .text(let text): filled += plain(text)
            case .template(let expression):
                do throws(TemplateError.Reason) { filled += transform(try value(of: expression, within: names)) } catch
                {
                    throw TemplateError(error, at: expression.offset, in: text)
                }
                guard filled.utf8.count <= Self.maximumByteCount else {
                    throw TemplateError(.tooLarge, at: expression.offset, in: text)
                }
            }
        }
        return filled
    }

    /// Returns the value of a template, which has the kind that it asks for.
    private mutating func value(
        of expression: TemplateExpression, within names: [String]
    ) throws(TemplateError.Reason) -> String {
        let value: String
        switch expression.value {
        case .variable(let name): value = try self.value(of: name, within: names)
        case .call(let name, let arguments):
            guard let text = String(validating: try call(name, arguments, within: names), as: UTF8.self) else {
                throw .arguments(name, "the result is not UTF-8 text; $base64 takes any bytes")
            }
            value = text
        }
        guard let kind = expression.kind, !kind.accepts(value) else { return value }
        // A stand-in has no kind.
        if expression.names.contains(where: { captured.values[$0]?.isSample ?? false }) { return kind.sample }
        throw .wrongKind(expression, value: value)
    }

    private mutating func call(
        _ name: String, _ arguments: [TemplateExpression.Argument], within names: [String]
    ) throws(TemplateError.Reason) -> [UInt8] {
        try count()
        guard let function = TemplateFunction.named(name) else {
            throw .unknownFunction(name, known: TemplateFunction.all.map(\.name))
        }
        if !function.isPure { isRepeatable = false }
        try function.checkCount(arguments.count)
        var values: [[UInt8]] = []
        let before = takeSources()
        defer { sources.formUnion(before) }
        for argument in arguments {
            switch argument {
            case .literal(let text): values.append(Array(text.utf8))
            case .value(.variable(let variable)): values.append(Array(try value(of: variable, within: names).utf8))
            case .value(.call(let inner, let arguments)):
                values.append(try call(inner, arguments, within: names))
            }
        }
        processedBytes += values.reduce(0) { $0 + $1.count }
        if processedBytes > Self.maximumProcessedBytes { throw .tooLarge }
        do throws(TemplateCall.Failure) {
            let call = TemplateCall(arguments: values, generators: generators, files: files)
            let result = try function.value(call)
            if let source = function.source(call) { sources.insert(source) }
            // A value made of a secret is one.
            if sources.contains(where: \.isSecret) { revealed.insert(String(decoding: result, as: UTF8.self)) }
            return result
        } catch {
            throw .arguments(name, error.reason)
        }
    }

    private mutating func count() throws(TemplateError.Reason) {
        substitutions += 1
        if substitutions > Self.maximumSubstitutions { throw .tooLarge }
    }

    private mutating func value(
        of name: String, within names: [String]
    ) throws(TemplateError.Reason) -> String {
        try count()
        if let value = try capturedValue(of: name) { return value }
        if let secret = secrets[name], !overridden.contains(name) {
            let (value, source) = try self.value(of: secret)
            sources.insert(source)
            if source.isActive { programs.insert(source) }
            use(name, value, secretLevels[name] ?? .ombi)
            return value
        }
        guard let definition = texts[name] else {
            guard keepsUnknownNames else { throw .unknownVariable(name, known: knownNames) }
            captured.values[name] = .sample(name)
            return try self.value(of: name, within: names)
        }
        if let start = names.firstIndex(of: name) { throw .cycle(names[start...] + [name]) }
        guard names.count < Self.maximumDepth else { throw .tooDeep(names + [name]) }
        // A secret that is overridden is still a secret.
        if secrets[name] != nil {
            revealed.insert(definition.text)
            sources.insert(.override(name))
        }
        if definition.isLocal { sources.insert(.local(name, isSecret: false)) }
        let value: String
        do throws(TemplateError) { value = try fill(definition.text, within: names + [name]) } catch {
            throw switch error.kind {
            case .cycle, .tooDeep, .tooLarge: error.kind
            default: .inVariable(name, error)
            }
        }
        if secrets[name] != nil { revealed.insert(value) }
        use(name, value, definition.level)
        return value
    }

    private mutating func use(_ name: String, _ value: String, _ level: Provenance) {
        if used[name]?.value == value { return }
        used[name] = UsedVariable(name: name, value: value, source: level)
    }

    /// Returns nil for a variable that no request captures, or that the row or the command line sets.
    private mutating func capturedValue(of name: String) throws(TemplateError.Reason) -> String? {
        switch texts[name]?.level {
        case .commandLine, .row: return nil
        default: break
        }
        if let captured = captured.values[name] {
            if captured.isSecret { revealed.insert(captured.value) }
            if let source = captured.provenance { sources.insert(source) }
            use(name, captured.value, .captured(by: captured.request))
            return captured.value
        }
        guard let request = captured.requests[name] else { return nil }
        if captured.circular.contains(name), texts[name] != nil || secrets[name] != nil { return nil }
        throw .notCaptured(name, by: request)
    }

    private mutating func value(of secret: Secret) throws(TemplateError.Reason) -> (String, Source) {
        if let known = secretValues[secret.name] { return known }
        do throws(SecretError) {
            let value = try reader.value(of: secret)
            let source = reader.source(of: secret)
            secretValues[secret.name] = (value, source)
            revealed.insert(value)
            return (value, source)
        } catch {
            throw error.missing.map { .missingSecret($0) } ?? .secret(error.description)
        }
    }
}

/// The level that defines a part of a request.
package enum Provenance: Hashable, Sendable {
    case request
    case collection
    case folder(String, ItemID)
    case environment(String)
    /// The number of a row in a file of data.
    case row(Int)
    case commandLine
    /// Captured by a request from its response.
    case captured(by: String)
    /// A default, or a header that is added when the request is sent.
    case ombi
}

/// A variable that was filled in, and the level that defines it.
package struct UsedVariable: Equatable, Sendable {
    package var name: String
    /// Masked as far as it holds secrets.
    package var value: String
    package var source: Provenance
}

extension Provenance: CustomStringConvertible {
    package var description: String {
        switch self {
        case .request: "from the request"
        case .collection: "from the collection"
        case .folder(let name, _): "from folder \(name)"
        case .environment(let name): "from environment \(name)"
        case .row(let number): "from row \(number)"
        case .commandLine: "from the command line"
        case .captured(let request): "captured by \(request)"
        case .ombi: "added by Ombi"
        }
    }
}

/// A value that a request captured from its response, for the variable of its name.
package struct CapturedValue: Sendable, Equatable {
    package var name: String
    /// Masked outside this module if it is secret.
    package var value: String
    package var isSecret = false
    package var request: String
    /// The part of the response that it comes from: `$.token`, `header ETag`.
    package var source: String
    /// True for a stand-in of a value that was not captured.
    var isSample = false
    /// The source for grants when the value is sent on; nil for a value that may go anywhere.
    var provenance: Source?

    /// `captured` in `schema/run.schema.json`, masked if it is a secret or named like one.
    var json: JSONValue {
        let isHidden = isSecret || RequestHeaders.Key(name).isSensitive
        return [
            "name": .string(name), "value": .string(isHidden ? LogMask.mask : value), "source": .string(source),
        ]
    }
}

/// The captured values of one run, and the variables that requests capture.
package struct CapturedScope: Sendable, Equatable {
    package var values: [String: CapturedValue] = [:]
    /// The name of the first request that captures each variable.
    package var requests: [String: String] = [:]
    /// The variables that only a waiting request can capture; a variable of the file is used instead.
    var circular: Set<String> = []

    /// A shorter secret would occur in unrelated texts.
    private static let minimumLength = 6

    /// The secrets that are masked even in requests that do not use them: a server may repeat a token anywhere.
    var unusedSecrets: [String] {
        values.values.filter { $0.isSecret && !$0.isSample && $0.value.utf8.count >= Self.minimumLength }
            .map(\.value).sorted()
    }

    /// Returns a URL with the names of stand-ins in template form, and not percent-encoded.
    func namingSamples(in url: String) -> String {
        values.values.filter(\.isSample).reduce(url) {
            $0.replacing(PercentEncoding.escapeParameter($1.value), with: $1.value)
        }
    }
}
