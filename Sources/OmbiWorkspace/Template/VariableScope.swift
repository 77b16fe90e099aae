/// The values of names in one run: overrides first, then the variables of the folders, the nearest first, then secrets and
/// the variables of the environment, then those of the collection.
struct VariableScope {
    private var texts: [String: Definition] = [:]
    private var secrets: [String: Secret] = [:]
    private let reader: SecretReader
    private let generators: Generators
    /// The names that hold over secrets of the environment.
    private let overridden: Set<String>
    /// Secrets are read when first needed, and once.
    private var secretValues: [String: String] = [:]
    private var substitutions = 0
    /// The secret texts that were filled in.
    private(set) var revealed: Set<String> = []
    /// The variables that were filled in, unmasked.
    private(set) var used: [String: UsedVariable] = [:]
    /// The source of the environment's variables and secrets.
    private let environmentSource: Provenance

    private struct Definition {
        var text: String
        var source: Provenance
    }

    /// - Parameters:
    ///   - name: of the environment.
    ///   - folders: with the outermost folder first.
    init(
        collection: [Variable], environment: [Variable], name: String = "", secrets: [Secret],
        folders: [(variables: [Variable], source: Provenance)] = [], overrides: [Variable],
        reader: SecretReader, generators: Generators
    ) {
        environmentSource = .environment(name)
        // Later ones replace earlier ones.
        let levels: [([Variable], Provenance)] =
            [(collection, .collection), (environment, environmentSource)] + folders + [(overrides, .commandLine)]
        for (variables, source) in levels {
            for variable in variables where variable.enabled {
                texts[variable.name] = Definition(text: variable.value, source: source)
            }
        }
        for secret in secrets { self.secrets[secret.name] = secret }
        overridden = Set((folders.flatMap(\.variables) + overrides).filter(\.enabled).map(\.name))
        self.reader = reader
        self.generators = generators
    }

    // Variables that refer to each other several times grow exponentially.
    private static let maximumSubstitutions = 10_000
    private static let maximumByteCount = 16 << 20
    /// Bounds the stack.
    private static let maximumDepth = 100

    var knownNames: [String] { Set(texts.keys).union(secrets.keys).sorted() }

    /// Returns the text with every name replaced by its value.
    /// - Parameter plain: applied to the text between the names.
    mutating func fill(_ text: String, plain: (String) -> String = { $0 }) throws(TemplateError) -> String {
        substitutions = 0
        return try fill(text, within: [], plain)
    }

    private mutating func fill(
        _ text: String, within names: [String], _ transform: (String) -> String
    ) throws(TemplateError) -> String {
        // Most texts hold no template.
        guard text.utf8.contains(UInt8(ascii: "{")) else { return transform(text) }
        var filled = ""
        for part in try Template(text).parts {
            switch part {
            case .text(let plain): filled += transform(plain)
            case .name(let name, let column):
                substitutions += 1
                filled += try value(of: name, column, within: names)
                guard substitutions <= Self.maximumSubstitutions, filled.utf8.count <= Self.maximumByteCount else {
                    throw TemplateError(column: column, kind: .tooLarge)
                }
            }
        }
        return filled
    }

    private mutating func value(
        of name: String, _ column: Int, within names: [String]
    ) throws(TemplateError) -> String {
        if name.hasPrefix("$") {
            guard let function = TemplateFunction.named(name) else {
                throw TemplateError(column: column, kind: .unknownFunction(name))
            }
            return function.value(generators)
        }
        if let secret = secrets[name], !overridden.contains(name) {
            let value = try self.value(of: secret, column)
            used[name] = UsedVariable(name: name, value: value, source: environmentSource)
            return value
        }
        guard let text = texts[name]?.text, let source = texts[name]?.source else {
            throw TemplateError(column: column, kind: .unknownVariable(name, known: knownNames))
        }
        if let start = names.firstIndex(of: name) {
            throw TemplateError(column: column, kind: .cycle(names[start...] + [name]))
        }
        guard names.count < Self.maximumDepth else {
            throw TemplateError(column: column, kind: .tooDeep(names + [name]))
        }
        // A secret that is overridden is still a secret.
        if secrets[name] != nil { revealed.insert(text) }
        let value: String
        do throws(TemplateError) { value = try fill(text, within: names + [name]) { $0 } } catch {
            throw switch error.kind {
            case .cycle, .tooDeep, .tooLarge: error
            default: TemplateError(column: column, kind: .inVariable(name, error))
            }
        }
        if secrets[name] != nil { revealed.insert(value) }
        used[name] = UsedVariable(name: name, value: value, source: source)
        return value
    }

    private mutating func value(of secret: Secret, _ column: Int) throws(TemplateError) -> String {
        if let value = secretValues[secret.name] { return value }
        do throws(SecretError) {
            let value = try reader.value(of: secret)
            secretValues[secret.name] = value
            revealed.insert(value)
            return value
        } catch {
            throw TemplateError(column: column, kind: .secret(error))
        }
    }
}
